// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/schedule/roundrobinrefresh.h"

#include <algorithm>
#include <utility>

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

qint64 RoundRobinRefresh::roundMs(qsizetype primitives, bool fed)
{
    return 1000 * (primitives / eachSecond(primitives, fed) + 1);
}

void RoundRobinRefresh::everySecond(const Registry& registry, quint64 feedEpoch, qint64 nowMs,
                                    PollQueue& queue)
{
    if (std::exchange(m_epoch, feedEpoch) != feedEpoch) {
        m_epochBeganMs = nowMs;
        m_nextOlder = 0;
        m_endOlder = feedEpoch != 0 ? registry.all().places() : 0;
    }
    readOlder(registry, queue);
    readNext(registry, feedEpoch != 0, queue);
}

void RoundRobinRefresh::readOlder(const Registry& registry, PollQueue& queue)
{
    int left = eachSecond(registry.size(), false);
    for (; m_nextOlder < m_endOlder && left > 0; ++m_nextOlder) {
        const Handle handle = registry.all().at(m_nextOlder);
        const StatePtr& state = registry.state(handle);
        if (state && state->asOfMs < m_epochBeganMs) {
            queue.markDirty(handle);
            --left;
        }
    }
}

void RoundRobinRefresh::readNext(const Registry& registry, bool fed, PollQueue& queue)
{
    int left = eachSecond(registry.size(), fed);
    const quint32 places = registry.all().places();
    for (quint32 seen = 0; seen < places && left > 0; ++seen) {
        m_last = m_last + 1 < places ? m_last + 1 : 0;
        if (const Handle handle = registry.all().at(m_last); handle != noHandle) {
            queue.markForFullRead(handle);
            --left;
        }
    }
}

} // namespace lk
