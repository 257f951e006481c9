// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/feed/deploymentfeed.h"

#include <algorithm>

namespace lk {

namespace {

void add(TrafficCounts& sum, const TrafficCounts& part)
{
    sum.commands += part.commands;
    sum.bytesSent += part.bytesSent;
    sum.bytesReceived += part.bytesReceived;
}

} // namespace

DeploymentFeed::DeploymentFeed(Router& control, QObject* parent)
    : QObject(parent)
    , m_control(control)
{
    connect(&m_control, &Router::nodesChanged, this, &DeploymentFeed::follow);
}

DeploymentFeed::~DeploymentFeed() = default;

void DeploymentFeed::start()
{
    m_started = true;
    follow();
}

void DeploymentFeed::stop()
{
    m_started = false;
    for (const auto& [node, feed] : m_feeds)
        feed->stop();
}

// Keeps one feed for each node.
void DeploymentFeed::follow()
{
    if (!m_started)
        return;
    ++m_generation;
    const std::vector<NodeLink*>& nodes = m_control.nodes();
    std::erase_if(m_feeds, [&](auto& each) {
        const bool gone = std::find(nodes.begin(), nodes.end(), each.first) == nodes.end();
        if (gone)
            add(m_former, each.second->traffic());
        if (gone)
            each.second.release()->deleteLater(); // it may be the caller
        return gone;
    });
    for (NodeLink* node : nodes) {
        if (std::any_of(m_feeds.begin(), m_feeds.end(),
                        [node](const auto& each) { return each.first == node; }))
            continue;
        auto feed = std::make_unique<ChangeFeed>(node->connection(), node->url());
        connect(feed.get(), &ChangeFeed::epochBegan, this, &DeploymentFeed::epochBegan);
        connect(feed.get(), &ChangeFeed::keysChanged, this, &DeploymentFeed::keysChanged);
        connect(feed.get(), &ChangeFeed::everythingChanged, this,
                &DeploymentFeed::everythingChanged);
        feed->setPrefixes(m_prefixes, m_narrower);
        feed->start();
        m_feeds.emplace_back(node, std::move(feed));
    }
}

void DeploymentFeed::setPassword(const QString& user, const QString& password)
{
    for (const auto& [node, feed] : m_feeds)
        feed->setPassword(user, password);
}

void DeploymentFeed::setPrefixes(const std::vector<QByteArray>& prefixes,
                                 const std::vector<QByteArray>& narrower)
{
    m_prefixes = prefixes;
    m_narrower = narrower;
    for (const auto& [node, feed] : m_feeds)
        feed->setPrefixes(prefixes, narrower);
}

// True if the node is one of several and does not answer. Its keys cannot be read, so the others
// need no polling for it. Once it is back, the sum of the epochs differs.
bool DeploymentFeed::isOut(const NodeLink& node) const
{
    return m_feeds.size() > 1 && !node.isReady();
}

FeedStatus DeploymentFeed::status() const
{
    using Mode = FeedStatus::Mode;
    std::optional<FeedStatus> active; // among nodes with a feed; one that is starting counts least
    FeedStatus polling;
    qint64 bytes = 0;
    for (const auto& [node, feed] : m_feeds) {
        if (isOut(*node))
            continue;
        const FeedStatus& status = feed->status();
        bytes += status.bytesPerSecond;
        if (status.mode == Mode::PollingOnly) {
            polling.mode = status.mode;
            polling.reason = polling.polled.isEmpty() ? status.reason : polling.reason;
            polling.polled << node->endpoint();
        } else if (!active || status.mode == Mode::Starting) {
            active = status;
        }
    }
    FeedStatus all = active.value_or(polling);
    all.bytesPerSecond = bytes;
    all.reason = polling.reason;
    all.polled = active ? polling.polled : QStringList();
    return all;
}

// The sum grows with each of its parts.
quint64 DeploymentFeed::epoch() const
{
    quint64 sum = m_generation;
    bool any = false;
    for (const auto& [node, feed] : m_feeds) {
        if (isOut(*node))
            continue;
        any = any || feed->epoch() != 0;
        sum += feed->epoch();
    }
    return any ? sum : 0;
}

const ChangeFeed* DeploymentFeed::feedOf(const QByteArray& key) const
{
    const Link* owner = &m_control.nodeOf(key);
    const auto it = std::find_if(m_feeds.begin(), m_feeds.end(),
                                 [owner](const auto& each) { return each.first == owner; });
    return it == m_feeds.end() ? nullptr : it->second.get();
}

// A node that does not answer has nothing to poll.
bool DeploymentFeed::isFed(const QByteArray& key) const
{
    const Link& owner = m_control.nodeOf(key);
    const ChangeFeed* feed = feedOf(key);
    return !feed || feed->epoch() != 0 || !owner.isReady();
}

quint64 DeploymentFeed::epochOf(const QByteArray& key) const
{
    const ChangeFeed* feed = feedOf(key);
    const quint64 epoch = feed ? feed->epochOf(key) : 0;
    return epoch == 0 ? 0 : epoch + m_generation;
}

TrafficCounts DeploymentFeed::traffic() const
{
    TrafficCounts sum = m_former;
    for (const auto& [node, feed] : m_feeds)
        add(sum, feed->traffic());
    return sum;
}

} // namespace lk
