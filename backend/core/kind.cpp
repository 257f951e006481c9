// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/kind.h"

#include <QCoreApplication>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::Kind)
};

struct TypeName
{
    KeyType type;
    const char* name;
};
constexpr std::array typeNames{
    TypeName{KeyType::None, "none"}, TypeName{KeyType::String, "string"},
    TypeName{KeyType::List, "list"}, TypeName{KeyType::Set, "set"},
    TypeName{KeyType::ZSet, "zset"}, TypeName{KeyType::Hash, "hash"},
    TypeName{KeyType::Stream, "stream"}};

} // namespace

QByteArray kindId(Kind kind)
{
    switch (kind) {
    case Kind::Limiter:
        return QByteArrayLiteral("limiter");
    case Kind::Lock:
        return QByteArrayLiteral("lock");
    case Kind::Queue:
        return QByteArrayLiteral("queue");
    case Kind::Token:
        return QByteArrayLiteral("token");
    case Kind::Pattern:
        break;
    }
    return QByteArrayLiteral("pattern");
}

QString kindPluralTitle(Kind kind)
{
    switch (kind) {
    case Kind::Limiter:
        return Text::tr("Limiters");
    case Kind::Lock:
        return Text::tr("Locks");
    case Kind::Queue:
        return Text::tr("Queues");
    case Kind::Token:
        return Text::tr("Tokens");
    case Kind::Pattern:
        break;
    }
    return Text::tr("Patterns");
}

KeyType keyTypeFromName(const QByteArray& name)
{
    for (const TypeName& t : typeNames) {
        if (name == t.name)
            return t.type;
    }
    return KeyType::Other; // a module's type
}

QByteArray keyTypeName(KeyType type)
{
    for (const TypeName& t : typeNames) {
        if (type == t.type)
            return t.name;
    }
    return QByteArrayLiteral("other");
}

QByteArray sourceId(Source source)
{
    switch (source) {
    case Source::Inferred:
        return QByteArrayLiteral("inferred");
    case Source::Declared:
        return QByteArrayLiteral("declared");
    case Source::Stored:
        return QByteArrayLiteral("stored");
    case Source::Unknown:
        break;
    }
    return QByteArrayLiteral("unknown");
}

QString sourceText(Source source)
{
    switch (source) {
    case Source::Inferred:
        return Text::tr("inferred");
    case Source::Declared:
        return Text::tr("declared");
    case Source::Stored:
        return Text::tr("stored");
    case Source::Unknown:
        break;
    }
    return Text::tr("unknown");
}

} // namespace lk
