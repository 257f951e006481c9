// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/primitive.h"

#include <QString>

namespace lk {

/// An event, shown as a tick on the time bar and a flag on a chart's time axis. Server time in
/// milliseconds.
struct TimeMark
{
    /// The sort of the event. Marks of one sort look alike.
    enum class Sort : quint8 {
        Gap,     ///< no program recorded from tMs to toMs
        Change,  ///< of a hold, of jobs, of the fill level: its charts show it anyway
        Server,  ///< failover, outage, restart, changed configuration
        Finding, ///< opened or closed
        Alert,
        Action,
    };
    qint64 tMs = 0;
    qint64 toMs = 0; ///< the end if it lasts, else tMs
    Sort sort = Sort::Change;
    bool resolves = false; ///< a problem ended: a finding closed, an alert resolved
    PrimitiveId primitive; ///< empty if it concerns the whole deployment
    QString text;          ///< one sentence without full stop, translated

    bool operator==(const TimeMark&) const = default;
};

} // namespace lk
