// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/feed/changefeed.h"
#include "backend/redis/topology/router.h"

#include <memory>

namespace lk {

/// The change feeds of all nodes as one. Each is limited on its own: where one has none, only what
/// is there has to be polled. Lives in the I/O thread.
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
    /// Changes of that key are told, as far as its name is covered; see epochOf().
    bool isFed(const QByteArray& key) const;
    quint64 epochOf(const QByteArray& key) const;
    TrafficCounts traffic() const;

signals:
    void epochBegan(); ///< epoch() has grown since a node's feed has just begun
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
    TrafficCounts m_former;   ///< of feeds that have ended
    quint64 m_generation = 0; ///< grows when nodes come or go: their keys may have changed unheard
    bool m_started = false;
};

} // namespace lk
