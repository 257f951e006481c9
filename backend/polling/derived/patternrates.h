// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

namespace lk {

/// Computes from successive reads of a pattern how fast a rotation turns or a counter counts. Turns
/// are detected by the order of the rows, which only reads for a detail pane return. Changes that
/// cancel out between two reads, such as a whole round or a decremented count, are missed, so a
/// rate is a lower bound. Rates cover the last minute and are known after five seconds. Pure; times
/// are the states' own.
class PatternRates
{
public:
    /// Fills in the rate. Does nothing to other states.
    void apply(State& state);

private:
    struct Step
    {
        qint64 atMs;
        double moved; ///< since the previous step
    };
    double moved(const PatternState& pattern) const;

    double m_value = 0;              ///< the counter's value at the last read
    std::vector<QByteArray> m_order; ///< the rotation's order at the last read, the next one first
    std::vector<Step> m_steps;       ///< oldest first
};

} // namespace lk
