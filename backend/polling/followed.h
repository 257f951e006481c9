// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/polling/patternpace.h"
#include "backend/polling/queueflow.h"

#include <memory>

namespace lk {

/// What is kept of one primitive from one read to the next, by itself: dropping it is dropping its
/// entry. What has an order or a budget over all of them is kept where that is.
struct Followed
{
    bool large = false;   ///< read by the plan for big values
    bool givenUp = false; ///< too large or denied: not read again before an outage or a rescan
    std::unique_ptr<QueueFlow> flow;   ///< of a queue; null before its first read
    std::unique_ptr<PatternPace> pace; ///< the same of a pattern

    /// Fills in what several reads tell together.
    void apply(State& state)
    {
        if (state.kind() == Kind::Queue) {
            if (!flow)
                flow = std::make_unique<QueueFlow>();
            flow->apply(state);
        } else if (state.kind() == Kind::Pattern) {
            if (!pace)
                pace = std::make_unique<PatternPace>();
            pace->apply(state);
        }
    }
};

} // namespace lk
