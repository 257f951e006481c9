// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/report/snapshot/statesequence.h"

#include <optional>

namespace lk {

/// The extremes of a sample: the primitives nearest to their limits, and the oldest ones.
struct Extremes
{
    static constexpr size_t mostFull = 5; ///< limit per kind
    static constexpr size_t mostOld = 10; ///< limit of all kinds

    /// A limiter or semaphore compared by its limit, or a queue compared by its jobs, without
    /// limit.
    struct Full
    {
        StatePtr state;
        qint64 used = 0;
        std::optional<qint64> limit;
    };
    /// A queue's age is that of the job that waits or runs longest, a lock's that of its longest
    /// hold, a limiter's the time since its last use. Other primitives have no age that can be
    /// read.
    struct Old
    {
        StatePtr state;
        qint64 ageMs = 0;
    };

    std::vector<Full> fullest; ///< by kind, the fullest first; bounded
    std::vector<Old> oldest;   ///< the oldest first; bounded
};

/// Finds the extremes in one pass over all states; keeps only the result.
Extremes extremesOf(const StateSequence& states);

} // namespace lk
