// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/feed/changefeed.h"
#include "backend/redis/topology/router.h"

#include <memory>

namespace lk {

/// Combines the change feeds of all nodes. Each feed is limited separately: only the keys of a node
/// without a feed have to be polled. Lives in the I/O thread.
class DeploymentFeed final : public QObject
{
    Q_OBJECT

public:
    explicit DeploymentFeed(Router& control, QObject* parent = nullptr);
    ~DeploymentFeed() override;

    void start();
    void stop();
    void setPassword(const QString& user, const QString& password);
    /// As ChangeFeed's.
    void setPrefixes(const std::vector<QByteArray>& prefixes,
                     const std::vector<QByteArray>& narrower = {});
    bool hasPrefixes() const { return !m_prefixes.empty(); }
    FeedStatus status() const;
    quint64 epoch() const; ///< 0: no node has a feed
    /// True if changes of that key are reported, provided that a prefix covers it; see epochOf().
    bool isFed(const QByteArray& key) const;
    quint64 epochOf(const QByteArray& key) const;
    TrafficCounts traffic() const;

signals:
    void epochBegan(); ///< epoch() has grown because a node's feed has just begun
    void keysChanged(const QList<QByteArray>& keys);
    void everythingChanged();

private:
    void follow();
    bool isOut(const NodeLink& node) const;
    const ChangeFeed* feedOf(const QByteArray& key) const;

    Router& m_control;
    std::vector<std::pair<NodeLink*, std::unique_ptr<ChangeFeed>>> m_feeds;
    std::vector<QByteArray> m_prefixes;
    std::vector<QByteArray> m_narrower;
    TrafficCounts m_former; ///< traffic of feeds that have ended
    quint64 m_generation =
        0; ///< grows when nodes come or go, as changes of their keys may have been missed
    bool m_started = false;
};

} // namespace lk
