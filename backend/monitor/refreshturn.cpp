// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/monitor/refreshturn.h"

#include <algorithm>

namespace lk {

namespace {

constexpr int seconds = 30;
constexpr int secondsWithFeed = 600;
// At least so many a second, so that few are read soon.
constexpr int atLeast = 20;
constexpr int atLeastWithFeed = 2;
constexpr int atMostWithFeed = 30;

int eachSecond(qsizetype primitives, bool fed)
{
    const int share = int(primitives / (fed ? secondsWithFeed : seconds)) + 1;
    return fed ? std::clamp(share, atLeastWithFeed, atMostWithFeed) : std::max(share, atLeast);
}

} // namespace

qint64 RefreshTurn::wholeTurnMs(qsizetype primitives, bool fed)
{
    return 1000 * (primitives / eachSecond(primitives, fed) + 1);
}

void RefreshTurn::everySecond(const Registry& registry, bool fed, PollQueue& queue)
{
    int left = eachSecond(registry.size(), fed);
    for (Handle looked = 0; looked < registry.end() && left > 0; ++looked) {
        m_last = m_last + 1 < registry.end() ? m_last + 1 : 0;
        if (registry.primitive(m_last)) {
            queue.markForFullLook(m_last);
            --left;
        }
    }
}

} // namespace lk
