// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/board/endcounts.h"

namespace lk {

namespace {

constexpr qint64 second = 1000;
constexpr qint64 minute = 60 * second;
constexpr qint64 hour = 60 * minute;
constexpr qint64 day = 24 * hour;

qint64 togetherMs(qint64 leftMs)
{
    if (leftMs < 100 * second)
        return 10;
    if (leftMs < day)
        return second;
    return leftMs < 100 * day ? minute : hour;
}

} // namespace

void EndCounts::change(const Ending& ending, qint64 asOfMs, int by)
{
    m_never += ending.never ? by : 0;
    if (!ending.atMs)
        return;
    const qint64 atMs = *ending.atMs - *ending.atMs % togetherMs(*ending.atMs - asOfMs);
    qint64& count = m_counts[atMs];
    count += by;
    if (count == 0)
        m_counts.erase(atMs);
}

std::vector<EndCount> EndCounts::ends() const
{
    std::vector<EndCount> ends;
    ends.reserve(m_counts.size());
    for (const auto& [atMs, count] : m_counts)
        ends.emplace_back(atMs, count);
    return ends;
}

} // namespace lk
