// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"

#include <QHash>

#include <deque>

namespace lk {

/// Works out what flows through a queue from two looks at it: an item that left processing and is
/// not waiting again has gone out, what the depth grew by besides has come in. Rates are over the
/// last ten seconds. Has a queue read again when these are over, so that it shows that nothing
/// moves any more. Pure; times are the states' own.
class QueueFlow
{
public:
    /// Fills in the rates and when to look again. Does nothing to states that are not queues.
    void apply(Handle handle, State& state);
    void forget(Handle handle) { m_flows.remove(handle); }

private:
    struct Step
    {
        qint64 atMs;
        double in;
        double out;
    };
    struct Flow
    {
        qint64 atMs = 0;
        qint64 depth = 0;
        std::vector<quint64> items; ///< in processing when they were read last, sorted
        double out = 0;             ///< counted since then
        std::deque<Step> steps;
    };
    QHash<Handle, Flow> m_flows;
};

} // namespace lk
