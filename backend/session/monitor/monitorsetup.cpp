// SPDX-License-Identifier: GPL-3.0-or-later
// A monitor's inputs other than reads: the configuration, and ages from before its start. Also the
// subscriptions of its feed.
#include "backend/discovery/feed/feedprefixes.h"
#include "backend/session/monitor/monitor.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 underWayMs = 250; // at most, from a read on the server to its arrival

}

void Monitor::setConfig(const Config& config)
{
    m_firstSeen.setStuckAfterMs(config.check.thresholds.stuckAfterMs);
    QList<QByteArray> keys;
    for (Handle handle : m_discovery.setConfig(config)) {
        for (const KeyRole& key : m_discovery.registry().primitive(handle)->keys)
            keys.append(key.key);
    }
    onDiscovered(m_discovery.addDeclared());
    m_prefixesStale = true;
    refreshPrefixes();
    markAll(); // the threshold for stuck items may have changed
    rescan();
    for (const QByteArray& key : keys)
        m_scan.probe(key); // new declarations come before the rest of the scan
}

void Monitor::setRedlocks(const QByteArrayList& globs)
{
    if (std::exchange(m_redlocks, globs) == globs)
        return;
    for (const auto& [handle, primitive] : m_discovery.registry().all()) {
        if (primitive->kind == Kind::Lock)
            m_queue.markDirty(handle);
    }
}

void Monitor::restoreFirstSeen(const std::vector<FirstSeenRecord>& firstSeen)
{
    m_firstSeen.restore(firstSeen);
    for (const auto& [handle, primitive] : m_discovery.registry().all()) {
        if (primitive->kind == Kind::Queue)
            m_queue.markDirty(handle); // its items are older than assumed
    }
}

void Monitor::restoreHolds(const std::vector<RecordedHold>& holds)
{
    m_earlier.restore(holds);
    readInterrupted();
}

void Monitor::restoreAges(const RecordedAges& ages)
{
    m_earlier.restore(ages);
    readInterrupted();
}

// Reads again what is older than assumed.
void Monitor::readInterrupted()
{
    for (const auto& [handle, primitive] : m_discovery.registry().all()) {
        if (m_earlier.isInterrupted(primitive->id))
            m_queue.markDirty(handle);
    }
}

// Replies under way were read earlier, whatever their time says.
void Monitor::onFeedBegan()
{
    const qint64 nowMs = m_serverClock.serverMs(m_clock.nowMs());
    m_refresh.epochBegan(m_feed.epoch(),
                         nowMs + std::max(underWayMs, 2 * m_serverClock.roundTripMs));
}

void Monitor::refreshPrefixes()
{
    if (!m_prefixesStale || !m_prefixPace.isDue())
        return;
    m_prefixesStale = false;
    m_prefixPace.measure([this] {
        const QList<QByteArray> keys =
            m_discovery.registry().keys() + m_discovery.classifier().declaredStarts();
        m_feed.setPrefixes(feedPrefixes(keys, FeedReach::Siblings).prefixes,
                           feedPrefixes(keys, FeedReach::Named).prefixes);
    });
}

} // namespace lk
