// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/redis/topology/router.h"

#include <QHash>
#include <QObject>
#include <QSet>

namespace lk {

/// What each node says of itself by INFO and CONFIG: memory, load, clients, what becomes of its
/// data, and how far its replicas are behind. A cluster's are asked as often as the server itself
/// is, and not again for what one denies; of a server alone its own INFO tells. Lives in the I/O
/// thread.
class NodePoll final : public QObject
{
    Q_OBJECT

public:
    explicit NodePoll(Router& router, QObject* parent = nullptr);

    void forgetDenied() { m_denied.clear(); }
    /// The nodes of a cluster.
    void ask();
    /// A server alone, which has told this: for the rest, which only CONFIG tells.
    void askRest(const ServerInfo& info);
    void take(const QString& endpoint, const ServerInfo& info);
    /// Adds what is known to nodes of these endpoints; replicas that only their masters know of are
    /// appended.
    void addTo(std::vector<NodeFacts>& nodes) const;
    /// One of them evicts by use: which keys stay there depends on which are read.
    bool evictsByUse() const;

private:
    void prune();
    bool isCurrent(const NodeFacts& facts) const; ///< whoever told of it is there
    void takeReplies(const QString& endpoint, const std::vector<Command>& asked,
                     const std::vector<Reply>& replies);

    Router& m_router;
    QHash<QString, NodeFacts> m_facts;         ///< by endpoint: of masters and of their replicas
    QHash<QString, QSet<QByteArray>> m_denied; ///< by endpoint: commands that it refused
};

} // namespace lk
