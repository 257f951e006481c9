// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/redis/topology/router.h"

#include <QHash>
#include <QObject>
#include <QSet>

namespace lk {

/// Reads from each node by INFO and CONFIG: memory, load, clients, durability, and how far its
/// replicas lag behind. The nodes of a cluster are asked as often as the server itself. Commands
/// that a node denies are not sent to it again. For a single server, its INFO reply is passed in.
/// Lives in the I/O thread.
class NodePoll final : public QObject
{
    Q_OBJECT

public:
    explicit NodePoll(Router& router, QObject* parent = nullptr);

    void forgetDenied() { m_denied.clear(); }
    /// Asks the nodes of a cluster. Does nothing for a single server.
    void ask();
    /// Takes the INFO of a single server and asks for the rest by CONFIG. Does nothing for a
    /// cluster.
    void askRest(const ServerInfo& info);
    void take(const QString& endpoint, const ServerInfo& info);
    /// Fills in the known facts of these nodes. Appends replicas that only their masters report.
    void addTo(std::vector<NodeFacts>& nodes) const;
    /// Returns true if a node evicts keys by use, so that reading a key affects which keys stay.
    bool evictsByUse() const;

private:
    void prune();
    bool isCurrent(const NodeFacts& facts) const; ///< the node that reported it is ready
    void takeReplies(const QString& endpoint, const std::vector<Command>& asked,
                     const std::vector<Reply>& replies);

    Router& m_router;
    QHash<QString, NodeFacts> m_facts;         ///< by endpoint; masters and their replicas
    QHash<QString, QSet<QByteArray>> m_denied; ///< by endpoint; the commands that it refused
};

} // namespace lk
