// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/connection.h"

namespace lk {

class Router;

/// One node of a deployment: what has no key (SCAN, INFO, TIME) is answered by it, all else by the
/// node that has the key. Belongs to the router and lives as long, also when its node has left. In
/// the router's thread.
class NodeLink final : public Link
{
    Q_OBJECT

public:
    NodeLink(Router& router, const ServerUrl& url, const Connection::Options& options);

    /// Its address as the cluster announces it, "127.0.0.1:7001"; of a sole server as it is
    /// connected to.
    const QString& endpoint() const { return m_endpoint; }
    void setEndpoint(const QString& endpoint) { m_endpoint = endpoint; }
    /// By which a cluster knows it at whatever address; empty: not told, or no cluster's.
    const QByteArray& id() const { return m_id; }
    void setId(const QByteArray& id) { m_id = id; }
    /// For what belongs to one socket: tracking of changes.
    Connection& connection() { return m_connection; }
    /// Ready, or known to be down: whoever waits for all nodes waits no longer for this one.
    bool wasTried() const { return m_tried; }
    bool isDown() const { return m_tried && !isReady(); }
    bool hasLeft() const { return m_left; }
    /// It is not a part of the deployment any more: closed for good.
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
