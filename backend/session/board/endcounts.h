// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/board/summary.h"
#include "backend/text/time/ttlfilter.h"

#include <map>

namespace lk {

/// When how many of many end, kept up change by change. What ends close together is counted
/// together, so that it stays small with a million: within 10 ms where the TTL was below 100 s when
/// it was read, a second below a day, a minute below 100 days, else an hour.
class EndCounts
{
public:
    /// asOfMs: when the ending was read. Taken away by the same values that it was added by.
    void add(const Ending& ending, qint64 asOfMs) { change(ending, asOfMs, +1); }
    void remove(const Ending& ending, qint64 asOfMs) { change(ending, asOfMs, -1); }

    std::vector<EndCount> ends() const; ///< ascending
    qint64 never() const { return m_never; }

private:
    void change(const Ending& ending, qint64 asOfMs, int by);

    std::map<qint64, qint64> m_counts; ///< by the first moment of what is counted together
    qint64 m_never = 0;
};

} // namespace lk
