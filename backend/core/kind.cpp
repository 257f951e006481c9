// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/kind.h"

namespace lk {

namespace {

struct TypeName
{
    KeyType type;
    const char* name;
};
constexpr std::array typeNames{
    TypeName{KeyType::None, "none"},    TypeName{KeyType::String, "string"},
    TypeName{KeyType::List, "list"},    TypeName{KeyType::Set, "set"},
    TypeName{KeyType::ZSet, "zset"},    TypeName{KeyType::Hash, "hash"},
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

} // namespace lk
