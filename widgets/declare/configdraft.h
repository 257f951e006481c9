// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/config/configedit.h"
#include "backend/core/possible.h"
#include "backend/core/state.h"
#include "backend/findings/livefindings.h"

namespace lk {

/// Something that a person wants to have in the configuration file, before it is written there.
struct ConfigDraft
{
    /// What the file is going to say.
    enum class What : quint8 {
        Declare, ///< limit and window of a limiter
        Confirm, ///< it is what it may be: key and layout
        Ignore,  ///< it is not what it was taken for
        Silence, ///< a finding is known of
    };
    What what = What::Declare;
    QString title;             ///< "Declare api:rate"
    QString text;              ///< one or two sentences: what it does
    QByteArray pattern;        ///< a glob over names; to be changed by the person
    QByteArray layout;         ///< with Declare and Confirm
    Kind kind = Kind::Limiter; ///< with Confirm
    std::optional<qint64> limit;
    std::optional<qint64> windowMs;
    QByteArray code; ///< with Silence

    Result<ConfigEdit> applyTo(const QByteArray& toml, const QString& fileName) const;
};

/// A limiter of which something is not known; nothing where all is, or nothing could be declared.
std::optional<ConfigDraft> declaringOf(const State& state);
ConfigDraft ignoringOf(const State& state);
/// The same of what is only possible: it is one, or it is none.
ConfigDraft confirmingOf(const PossiblePrimitive& possible);
ConfigDraft ignoringOf(const PossiblePrimitive& possible);
/// "This is not a lock".
QString notThisText(Kind kind);
ConfigDraft silencingOf(const LiveFinding& live);

} // namespace lk
