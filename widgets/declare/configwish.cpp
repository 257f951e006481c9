// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/declare/configwish.h"

#include "backend/core/redactedname.h"
#include "backend/layouts/layout.h"

#include <QCoreApplication>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::ConfigWish)
};

QString notA(Kind kind)
{
    switch (kind) {
    case Kind::Limiter:
        return Text::tr("This is not a limiter");
    case Kind::Lock:
        return Text::tr("This is not a lock");
    case Kind::Queue:
        return Text::tr("This is not a queue");
    case Kind::Token:
        return Text::tr("This is not a token");
    case Kind::Pattern:
        break;
    }
    return Text::tr("This is not one of these");
}

QByteArray mainKey(const Primitive& primitive)
{
    return primitive.keys.empty() ? primitive.id.name : primitive.keys.front().key;
}

// A token's name holds its code, which stays out of the file: all that begin like it are meant. Empty
// where nothing stands before the code; a person says then what is meant.
QByteArray wishedPattern(Kind kind, const QByteArray& name)
{
    if (kind != Kind::Token)
        return patternOf(name);
    const QByteArray prefix = name.left(codeStart(name));
    return prefix.isEmpty() ? QByteArray() : patternOf(prefix) + '*';
}

} // namespace

Result<ConfigEdit> ConfigWish::applyTo(const QByteArray& toml, const QString& fileName) const
{
    if (pattern.isEmpty() && what != What::Silence)
        return failure(ErrorCode::BadArgument, Text::tr("Which key is it? Give a name or a pattern"));
    if (what == What::Ignore)
        return ignoreKeys(toml, fileName, pattern);
    if (what == What::Silence)
        return silenceFinding(toml, fileName, code, pattern);
    if (!limit && !windowMs)
        return failure(ErrorCode::BadArgument, Text::tr("Give the limit, the window, or both"));
    Declaration wanted;
    wanted.pattern = pattern;
    wanted.layout = layout;
    wanted.limit = limit;
    wanted.windowMs = windowMs;
    return declareLimiter(toml, fileName, wanted);
}

std::optional<ConfigWish> declaringOf(const State& state)
{
    const auto* limiter = state.as<LimiterState>();
    const bool known = limiter && limiter->limit && limiter->windowMs
                       && limiter->limitSource != Source::Inferred
                       && limiter->windowSource != Source::Inferred;
    if (!limiter || known || limiter->limitSource == Source::Stored)
        return std::nullopt;
    const Primitive& primitive = *state.primitive;
    ConfigWish wish;
    wish.what = ConfigWish::What::Declare;
    wish.title = Text::tr("Declare %1").arg(shownName(primitive, 60));
    wish.text = Text::tr("Redis does not hold what this limiter allows. What is declared here stands "
                         "in the configuration file, for this console and for lockkeeper check.");
    wish.pattern = primitive.declaration ? primitive.declaration->pattern
                                         : patternOf(mainKey(primitive));
    wish.layout = primitive.id.layout;
    wish.limit = limiter->limit;
    wish.windowMs = limiter->windowMs;
    return wish;
}

ConfigWish ignoringOf(const State& state)
{
    ConfigWish wish;
    wish.what = ConfigWish::What::Ignore;
    wish.title = notA(state.kind());
    wish.text = Text::tr("%1 was taken for a %2. Keys that are ignored are counted as not recognized "
                         "and left alone.")
                    .arg(shownName(*state.primitive, 60),
                         layoutTitle(state.primitive->id.layout));
    wish.pattern = wishedPattern(state.kind(), mainKey(*state.primitive));
    return wish;
}

ConfigWish silencingOf(const LiveFinding& live)
{
    ConfigWish wish;
    wish.what = ConfigWish::What::Silence;
    wish.title = Text::tr("Silence %1").arg(QString::fromLatin1(live.finding.code));
    wish.text = Text::tr("What is silenced is counted and no longer reported, here and in lockkeeper "
                         "check. Without a name all findings of this code are.");
    // A finding over several is called by a pattern already.
    wish.pattern = live.handle == noHandle ? live.finding.name
                                            : wishedPattern(live.kind, live.finding.name);
    wish.code = live.finding.code;
    return wish;
}

} // namespace lk
