// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/schedule/roundrobinrefresh.h"

#include <algorithm>
#include <utility>

namespace lk {

namespace {

constexpr int seconds = 30;
constexpr int secondsWithFeed = 600;
// The least reads a second, so that a few primitives are read soon.
constexpr int atLeast = 20;
constexpr int atLeastWithFeed = 2;
constexpr int atMostWithFeed = 25;
constexpr int countEverySeconds = 30;

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

void RoundRobinRefresh::epochBegan(quint64 feedEpoch, qint64 atMs)
{
    m_toldEpoch = feedEpoch;
    m_toldMs = atMs;
}

void RoundRobinRefresh::everySecond(const Registry& registry, quint64 feedEpoch, qint64 nowMs,
                                    PollQueue& queue, const Fed& isFed)
{
    if (std::exchange(m_epoch, feedEpoch) != feedEpoch) {
        m_epochBeganMs = feedEpoch == m_toldEpoch ? m_toldMs : nowMs;
        m_nextOlder = 0;
        m_endOlder = feedEpoch != 0 ? registry.all().places() : 0;
    }
    readOlder(registry, queue);
    if (isFed)
        return readApart(registry, isFed, queue);
    m_countIn = 0;
    readNext(registry, eachSecond(registry.size(), feedEpoch != 0), {}, m_last, queue);
}

// Reads fed and unfed primitives in separate rounds, each at its own pace.
void RoundRobinRefresh::readApart(const Registry& registry, const Fed& isFed, PollQueue& queue)
{
    if (m_countIn-- <= 0) {
        m_countIn = countEverySeconds;
        m_unfed = 0;
        for (const auto& [handle, primitive] : registry.all())
            m_unfed += isFed(*primitive) ? 0 : 1;
    }
    const auto isUnfed = [&isFed](const Primitive& primitive) { return !isFed(primitive); };
    readNext(registry, eachSecond(m_unfed, false), isUnfed, m_last, queue);
    readNext(registry, eachSecond(registry.size() - m_unfed, true), isFed, m_lastFed, queue);
}

void RoundRobinRefresh::readOlder(const Registry& registry, PollQueue& queue)
{
    int left = eachSecond(registry.size(), false);
    for (; m_nextOlder < m_endOlder && left > 0; ++m_nextOlder) {
        const Handle handle = registry.all().at(m_nextOlder);
        const KeptState& state = registry.keptState(handle);
        if (state && state.asOfMs() < m_epochBeganMs) {
            queue.markDirty(handle);
            --left;
        }
    }
}

void RoundRobinRefresh::readNext(const Registry& registry, int count, const Fed& wanted,
                                 quint32& last, PollQueue& queue)
{
    const quint32 places = registry.all().places();
    for (quint32 seen = 0; seen < places && count > 0; ++seen) {
        last = last + 1 < places ? last + 1 : 0;
        const Handle handle = registry.all().at(last);
        if (handle != noHandle && (!wanted || wanted(*registry.primitive(handle)))) {
            queue.markForFullRead(handle);
            --count;
        }
    }
}

} // namespace lk
