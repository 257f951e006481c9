// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/declare/configdraft.h"

#include "backend/core/redactedname.h"
#include "backend/findings/findingtraits.h"
#include "backend/libraries/api/layout.h"

#include <QCoreApplication>

namespace lk {

namespace {

struct ConfigDraftText
{
    Q_DECLARE_TR_FUNCTIONS(lk::ConfigDraft)
};

QByteArray mainKey(const Primitive& primitive)
{
    return primitive.keys.empty() ? primitive.id.name : primitive.keys.front().key;
}

// A token's name contains its code, which stays out of the file: the pattern covers all names with
// the same beginning. Empty if nothing stands before the code; the user then enters a pattern.
QByteArray proposedPattern(Kind kind, const QByteArray& name)
{
    if (kind != Kind::Token)
        return patternOf(name);
    const QByteArray prefix = name.left(codeStart(name));
    return prefix.isEmpty() ? QByteArray() : patternOf(prefix) + '*';
}

} // namespace

QString notThisText(Kind kind)
{
    switch (kind) {
    case Kind::Limiter:
        return ConfigDraftText::tr("This is not a limiter");
    case Kind::Lock:
        return ConfigDraftText::tr("This is not a lock");
    case Kind::Queue:
        return ConfigDraftText::tr("This is not a queue");
    case Kind::Token:
        return ConfigDraftText::tr("This is not a token");
    case Kind::Pattern:
        break;
    }
    return ConfigDraftText::tr("This is not a pattern");
}

Result<ConfigEdit> ConfigDraft::applyTo(const QByteArray& toml, const QString& fileName) const
{
    if (pattern.isEmpty() && what != What::Silence)
        return failure(ErrorCode::BadArgument,
                       ConfigDraftText::tr("Enter a key name or a pattern"));
    if (what == What::Ignore)
        return ignoreKeys(toml, fileName, pattern);
    if (what == What::Silence)
        return silenceFinding(toml, fileName, code, pattern);
    Declaration wanted;
    wanted.pattern = pattern;
    wanted.layout = layout;
    wanted.kind = kind;
    if (what == What::Confirm)
        return declareKeys(toml, fileName, wanted);
    if (!limit && !windowMs)
        return failure(ErrorCode::BadArgument,
                       ConfigDraftText::tr("Enter the limit, the window, or both"));
    wanted.limit = limit;
    wanted.windowMs = windowMs;
    return declareLimiter(toml, fileName, wanted);
}

std::optional<ConfigDraft> declaringOf(const State& state)
{
    const auto* limiter = state.as<LimiterState>();
    const bool known = limiter && limiter->limit && limiter->windowMs &&
                       limiter->limitSource != Source::Inferred &&
                       limiter->windowSource != Source::Inferred;
    if (!limiter || known || limiter->limitSource == Source::Stored)
        return std::nullopt;
    const Primitive& primitive = *state.primitive;
    ConfigDraft draft;
    draft.what = ConfigDraft::What::Declare;
    draft.title = ConfigDraftText::tr("Declare %1").arg(shownName(primitive, 60));
    draft.text = ConfigDraftText::tr(
        "Redis does not store this limiter's limit. The declaration is written "
        "to the configuration file, which the console and lockkeeper check use.");
    draft.pattern =
        primitive.declaration ? primitive.declaration->pattern : patternOf(mainKey(primitive));
    draft.layout = primitive.id.layout;
    draft.limit = limiter->limit;
    draft.windowMs = limiter->windowMs;
    return draft;
}

ConfigDraft ignoringOf(const State& state)
{
    ConfigDraft draft;
    draft.what = ConfigDraft::What::Ignore;
    draft.title = notThisText(state.kind());
    draft.text = ConfigDraftText::tr(
                     "%1 was detected as a %2. Ignored keys are counted as not recognized and "
                     "left alone.")
                     .arg(shownName(*state.primitive, 60), layoutTitle(state.primitive->id.layout));
    draft.pattern = proposedPattern(state.kind(), mainKey(*state.primitive));
    return draft;
}

ConfigDraft confirmingOf(const PossiblePrimitive& possible)
{
    ConfigDraft draft;
    draft.what = ConfigDraft::What::Confirm;
    draft.title = ConfigDraftText::tr("Declare %1").arg(shownKey(possible.kind, possible.key, 60));
    draft.text = ConfigDraftText::tr("It will be shown and counted as a %1.")
                     .arg(layoutTitle(possible.id.layout));
    draft.pattern = proposedPattern(possible.kind, possible.key);
    draft.layout = possible.id.layout;
    draft.kind = possible.kind;
    return draft;
}

ConfigDraft ignoringOf(const PossiblePrimitive& possible)
{
    ConfigDraft draft;
    draft.what = ConfigDraft::What::Ignore;
    draft.title = notThisText(possible.kind);
    draft.text =
        ConfigDraftText::tr("%1 is no longer offered as a possible %2. Ignored keys are counted as "
                            "not recognized and left alone.")
            .arg(shownKey(possible.kind, possible.key, 60), layoutTitle(possible.id.layout));
    draft.pattern = proposedPattern(possible.kind, possible.key);
    return draft;
}

ConfigDraft silencingOf(const LiveFinding& live)
{
    ConfigDraft draft;
    draft.what = ConfigDraft::What::Silence;
    draft.title = ConfigDraftText::tr("Silence %1").arg(QString::fromLatin1(live.finding.code));
    draft.text = ConfigDraftText::tr(
        "Silenced findings are counted and not reported, here and in lockkeeper "
        "check. Without a name, all findings with this code are silenced.");
    // A finding over several is called by a pattern already.
    const bool isPattern =
        live.handle == noHandle && (live.finding.group || !isOfRedlock(live.finding));
    draft.pattern = isPattern ? live.finding.name : proposedPattern(live.kind, live.finding.name);
    draft.code = live.finding.code;
    return draft;
}

} // namespace lk
