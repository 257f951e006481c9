// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/config/configedit.h"
#include "backend/core/state.h"
#include "backend/findings/livefindings.h"

namespace lk {

/// Something that a person wants to have in the configuration file, before it is written there.
struct ConfigDraft
{
    enum class What : quint8 {
        Declare, ///< limit and window of a limiter
        Ignore,  ///< it is not what it was taken for
        Silence, ///< a finding is known of
    };
    What what = What::Declare;
    QString title;      ///< "Declare api:rate"
    QString text;       ///< one or two sentences: what it does
    QByteArray pattern; ///< a glob over names; to be changed by the person
    QByteArray layout;  ///< with Declare
    std::optional<qint64> limit;
    std::optional<qint64> windowMs;
    QByteArray code; ///< with Silence

    Result<ConfigEdit> applyTo(const QByteArray& toml, const QString& fileName) const;
};

/// A limiter of which something is not known; nothing where all is, or nothing could be declared.
std::optional<ConfigDraft> declaringOf(const State& state);
ConfigDraft ignoringOf(const State& state);
ConfigDraft silencingOf(const LiveFinding& live);

} // namespace lk
