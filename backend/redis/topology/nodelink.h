// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/connection.h"

namespace lk {

class Router;

/// One node of a deployment. It answers commands without a key (SCAN, INFO, TIME); all others go to
/// the node that has the key. Owned by the router and lives as long, even after its node has left.
/// Lives in the router's thread.
class NodeLink final : public Link
{
    Q_OBJECT

public:
    NodeLink(Router& router, const ServerUrl& url, const Connection::Options& options);

    /// Its address as the cluster announces it, "127.0.0.1:7001". For a single server: the address
    /// of the connection.
    const QString& endpoint() const { return m_endpoint; }
    void setEndpoint(const QString& endpoint) { m_endpoint = endpoint; }
    /// The cluster's id for this node, which is the same at every address. Empty if not reported or
    /// not in a cluster.
    const QByteArray& id() const { return m_id; }
    void setId(const QByteArray& id) { m_id = id; }
    /// The connection itself, for features of a single socket such as client-side tracking.
    Connection& connection() { return m_connection; }
    /// True if the node is ready or known to be down, so that waiting for all nodes need not wait
    /// for it.
    bool wasTried() const { return m_tried; }
    bool isDown() const { return m_tried && !isReady(); }
    bool hasLeft() const { return m_left; }
    /// Closes it for good: it is no longer part of the deployment.
    void leave();

    const ServerUrl& url() const override { return m_connection.url(); }
    const ConnectionStatus& status() const override { return m_connection.status(); }
    const ServerInfo& greeting() const override { return m_connection.greeting(); }
    bool leavesKeysUntouched() const override { return m_connection.leavesKeysUntouched(); }
    TrafficCounts traffic() const override { return m_connection.traffic(); }
    double roundTripMs() const override { return m_connection.roundTripMs(); }
    void send(const std::vector<Command>& commands, QObject* context,
              BatchHandler handler) override;
    Link& nodeOf(const QByteArray& key) override;
    bool isWriteModeOn() const override { return m_connection.isWriteModeOn(); }
    void sendActing(const std::vector<Command>& commands, QObject* context,
                    BatchHandler handler) override;

private:
    Router& m_router;
    QString m_endpoint;
    QByteArray m_id;
    Connection m_connection;
    bool m_tried = false;
    bool m_left = false;
};

} // namespace lk
