// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

#include <deque>

namespace lk {

/// Computes from a library's own totals, which only grow, how many jobs a second complete and fail.
/// Averages over half a minute, because some libraries count only every ten seconds. Pure; times
/// are the states' own.
class JobThroughput
{
public:
    /// Fills in the rates if the totals are known, and schedules another read while they are not 0.
    /// Does nothing to states that are not queues.
    void apply(State& state);

private:
    struct Count
    {
        qint64 atMs;
        qint64 completed;
        qint64 failed;
    };
    quint64 m_of = 0; ///< QueueState::totalsOf
    std::deque<Count> m_counts;
};

} // namespace lk
