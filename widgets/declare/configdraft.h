// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/config/configedit.h"
#include "backend/core/possible.h"
#include "backend/core/state.h"
#include "backend/findings/livefindings.h"

namespace lk {

/// An entry for the configuration file, before it is written.
struct ConfigDraft
{
    /// The meaning of the entry.
    enum class What : quint8 {
        Declare, ///< limit and window of a limiter
        Confirm, ///< confirms a possible primitive: key and layout
        Ignore,  ///< it was detected wrongly
        Silence, ///< a known finding
    };
    What what = What::Declare;
    QString title;             ///< "Declare api:rate"
    QString text;              ///< one or two sentences: the effect
    QByteArray pattern;        ///< a glob over names; to be changed by the person
    QByteArray layout;         ///< with Declare and Confirm
    Kind kind = Kind::Limiter; ///< with Confirm
    std::optional<qint64> limit;
    std::optional<qint64> windowMs;
    QByteArray code; ///< with Silence

    Result<ConfigEdit> applyTo(const QByteArray& toml, const QString& fileName) const;
};

/// Returns a draft that declares the unknown facts of a limiter. Nothing if all are known, or none
/// can be declared.
std::optional<ConfigDraft> declaringOf(const State& state);
ConfigDraft ignoringOf(const State& state);
/// The same for a possible primitive: confirms it, or ignores it.
ConfigDraft confirmingOf(const PossiblePrimitive& possible);
ConfigDraft ignoringOf(const PossiblePrimitive& possible);
/// "This is not a lock".
QString notThisText(Kind kind);
ConfigDraft silencingOf(const LiveFinding& live);

} // namespace lk
