// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/kindtitles.h"

#include <QCoreApplication>

namespace lk {

namespace {

struct KindText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Kind)
};

} // namespace

QString kindPluralTitle(Kind kind)
{
    switch (kind) {
    case Kind::Limiter:
        return KindText::tr("Limiters");
    case Kind::Lock:
        return KindText::tr("Locks");
    case Kind::Queue:
        return KindText::tr("Queues");
    case Kind::Token:
        return KindText::tr("Tokens");
    case Kind::Pattern:
        break;
    }
    return KindText::tr("Patterns");
}

QString kindPluralWord(Kind kind)
{
    switch (kind) {
    case Kind::Limiter:
        return KindText::tr("limiters");
    case Kind::Lock:
        return KindText::tr("locks");
    case Kind::Queue:
        return KindText::tr("queues");
    case Kind::Token:
        return KindText::tr("tokens");
    case Kind::Pattern:
        break;
    }
    return KindText::tr("patterns");
}

QString sourceText(Source source)
{
    switch (source) {
    case Source::Inferred:
        return KindText::tr("inferred");
    case Source::Declared:
        return KindText::tr("declared");
    case Source::Stored:
        return KindText::tr("stored");
    case Source::Unknown:
        break;
    }
    return KindText::tr("unknown");
}

} // namespace lk
