// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/report/snapshot/statesequence.h"

#include <optional>

namespace lk {

/// What stands out of a sample: what is nearest to its limit, and what has been there longest.
struct Extremes
{
    static constexpr size_t mostFull = 5; ///< of a kind
    static constexpr size_t mostOld = 10; ///< of all

    /// A limiter or semaphore by its limit, a queue by its jobs, which have none.
    struct Full
    {
        StatePtr state;
        qint64 used = 0;
        std::optional<qint64> limit;
    };
    /// A queue by the job that waits or runs longest, a lock by who has held it longest, a limiter
    /// by how long nobody has asked it. Of others no read tells an age.
    struct Old
    {
        StatePtr state;
        qint64 ageMs = 0;
    };

    std::vector<Full> fullest; ///< by kind, the fullest first; bounded
    std::vector<Old> oldest;   ///< the oldest first; bounded
};

/// One pass over all of them; keeps no more than it answers.
Extremes extremesOf(const StateSequence& states);

} // namespace lk
