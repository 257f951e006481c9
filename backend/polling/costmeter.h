// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/connection.h"

#include <deque>

namespace lk {

/// The load that the console itself puts on the server.
struct Cost
{
    double commandsPerSecond = 0;
    double bytesPerSecond = 0; ///< both directions
    double roundTripMs = -1;   ///< of the last batch on the control connection

    bool operator==(const Cost&) const = default;
};

/// Turns totals into rates over the last few seconds. Pure; times are local milliseconds.
class CostMeter
{
public:
    /// totals: the sums over all connections; they never decrease.
    Cost measure(const TrafficCounts& totals, qint64 nowMs);
    void clear() { m_samples.clear(); }

private:
    struct Sample
    {
        qint64 atMs;
        qint64 commands;
        qint64 bytes;
    };
    std::deque<Sample> m_samples;
};

} // namespace lk
