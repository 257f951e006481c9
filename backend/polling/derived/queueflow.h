// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

#include <deque>

namespace lk {

/// Computes the flow through one queue from successive reads. An item that left processing and is
/// not waiting again has gone out; any other growth of the depth has come in. Rates cover the last
/// ten seconds. Schedules another read after these, so that the rates return to 0 when nothing
/// moves any more. Pure; times are the states' own.
class QueueFlow
{
public:
    /// Fills in the rates and the time of the next read. Does nothing to states that are not
    /// queues.
    void apply(State& state);

private:
    struct Step
    {
        qint64 atMs;
        double in;
        double out;
    };
    qint64 m_atMs = 0;
    qint64 m_depth = 0;
    std::vector<quint64> m_items; ///< the items in processing at their last read, sorted
    double m_out = 0;             ///< counted since then
    std::deque<Step> m_steps;
};

} // namespace lk
