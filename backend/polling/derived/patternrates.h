// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

namespace lk {

/// Works out from one read of a pattern to the next how often a rotation turns and a counter
/// counts. Turns tell by who is due, which only reads for a detail pane see; what happens twice the
/// same between two reads, a whole round or a count that was taken back, is missed: a pace is a
/// lower bound. Over the last minute, known after five seconds. Pure; times are the states' own.
class PatternRates
{
public:
    /// Fills in the pace. Does nothing to other states.
    void apply(State& state);

private:
    struct Step
    {
        qint64 atMs;
        double moved; ///< since the step before
    };
    double moved(const PatternState& pattern) const;

    double m_value = 0;              ///< of a counter
    std::vector<QByteArray> m_order; ///< of a rotation, who is due first
    std::vector<Step> m_steps;       ///< oldest first
};

} // namespace lk
