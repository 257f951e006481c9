// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/primitive.h"

#include <QString>

namespace lk {

/// Something that happened, as a tick on the time bar and a flag on a chart's time axis. Server
/// time in milliseconds.
struct TimeMark
{
    /// What it is about: marks of one sort look alike.
    enum class Sort : quint8 {
        Gap,     ///< nobody recorded from tMs to toMs
        Change,  ///< of a hold, of jobs, of how full it is: what its charts show anyway
        Server,  ///< failover, outage, restart, changed configuration
        Finding, ///< opened or closed
        Alert,
        Action,
    };
    qint64 tMs = 0;
    qint64 toMs = 0; ///< of what lasts; else tMs
    Sort sort = Sort::Change;
    bool resolves = false; ///< it went well again: a finding closed, an alert resolved
    PrimitiveId primitive; ///< empty: the deployment as a whole
    QString text;          ///< one sentence without full stop, translated

    bool operator==(const TimeMark&) const = default;
};

} // namespace lk
