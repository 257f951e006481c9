// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/kindtitles.h"

#include <QCoreApplication>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::Kind)
};

} // namespace

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

QString kindPluralWord(Kind kind)
{
    switch (kind) {
    case Kind::Limiter:
        return Text::tr("limiters");
    case Kind::Lock:
        return Text::tr("locks");
    case Kind::Queue:
        return Text::tr("queues");
    case Kind::Token:
        return Text::tr("tokens");
    case Kind::Pattern:
        break;
    }
    return Text::tr("patterns");
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
