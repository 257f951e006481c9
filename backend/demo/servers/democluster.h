// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"
#include "backend/demo/servers/demoserver.h"
#include "backend/redis/link.h"

#include <memory>
#include <vector>

namespace lk {

class Connection;

/// A private cluster for the demo: three masters on free ports of this machine, each with a third
/// of the slots, protected by a random password. The servers end with this object or when this
/// process is killed, like a DemoServer. Lives in the main thread, like DemoServer.
class DemoCluster final : public QObject
{
    Q_OBJECT

public:
    explicit DemoCluster(QObject* parent = nullptr);
    ~DemoCluster() override;

    /// Returns at once; ready() or failed() follows. Must be called only once.
    void start();

    bool isReady() const { return m_ready; }
    /// The URL with the password. Complete once ready.
    ServerUrl url() const;
    /// The cluster's folder, which is removed with it; empty before it is ready.
    QString folder() const;
    std::vector<qint64> processIds() const;

signals:
    /// All slots are served, and every node reports so.
    void ready();
    /// See DemoServer::failed().
    void failed(const lk::Error& error);

private:
    void onServerReady();
    void onLinkReady();
    void join();
    void meet();
    bool isDone(const BatchResult& result); ///< calls fail() if a command was refused
    void askWhetherWhole();
    void fail(const Error& error);

    std::vector<std::unique_ptr<DemoServer>> m_servers;
    std::vector<std::unique_ptr<Connection>>
        m_links; ///< by the server's index; only while the cluster is joined
    QString m_password;
    QTimer m_poll;
    QElapsedTimer m_sinceJoined;
    int m_prepared = 0; ///< number of nodes that have their slots
    int m_whole = 0;    ///< number of nodes that reported a complete cluster in this round
    bool m_ready = false;
    bool m_failed = false;
};

} // namespace lk
