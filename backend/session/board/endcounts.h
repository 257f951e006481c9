// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/board/summary.h"
#include "backend/text/time/ttlfilter.h"

#include <map>

namespace lk {

/// Counts when primitives end, updated change by change. Ends that are close together share a
/// count, so that it stays small with a million primitives: within 10 ms if the TTL was below 100 s
/// when it was read, a second below a day, a minute below 100 days, else an hour.
class EndCounts
{
public:
    /// asOfMs: when the ending was read. Remove an ending with the same values with which it was
    /// added.
    void add(const Ending& ending, qint64 asOfMs) { change(ending, asOfMs, +1); }
    void remove(const Ending& ending, qint64 asOfMs) { change(ending, asOfMs, -1); }

    std::vector<EndCount> ends() const; ///< ascending
    qint64 never() const { return m_never; }

private:
    void change(const Ending& ending, qint64 asOfMs, int by);

    std::map<qint64, qint64> m_counts; ///< by the first moment of each span
    qint64 m_never = 0;
};

} // namespace lk
