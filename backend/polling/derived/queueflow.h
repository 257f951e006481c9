// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

#include <deque>

namespace lk {

/// Works out what flows through one queue from two reads of it: an item that left processing and is
/// not waiting again has gone out, what the depth grew by besides has come in. Rates are over the
/// last ten seconds. Has a queue read again when these are over, so that it shows that nothing
/// moves any more. Pure; times are the states' own.
class QueueFlow
{
public:
    /// Fills in the rates and when to read again. Does nothing to states that are not queues.
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
    std::vector<quint64> m_items; ///< in processing when they were read last, sorted
    double m_out = 0;             ///< counted since then
    std::deque<Step> m_steps;
};

} // namespace lk
