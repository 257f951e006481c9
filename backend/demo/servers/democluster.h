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
/// of the slots, behind a password that nobody else knows. They go with this object, and when we
/// are killed, as a DemoServer does. Lives in the main thread, as DemoServer.
class DemoCluster final : public QObject
{
    Q_OBJECT

public:
    explicit DemoCluster(QObject* parent = nullptr);
    ~DemoCluster() override;

    /// Returns at once; ready() or failed() follows. Once in the life of the object.
    void start();

    bool isReady() const { return m_ready; }
    /// Complete once it is ready; with the password.
    ServerUrl url() const;
    /// A folder of its own, which goes with it; empty before it is ready.
    QString folder() const;
    std::vector<qint64> processIds() const;

signals:
    /// All slots are served, and every node knows it.
    void ready();
    /// As DemoServer's.
    void failed(const lk::Error& error);

private:
    void onServerReady();
    void onLinkReady();
    void join();
    void meet();
    bool isDone(const BatchResult& result); ///< fails if one of them was refused
    void askWhetherWhole();
    void fail(const Error& error);

    std::vector<std::unique_ptr<DemoServer>> m_servers;
    std::vector<std::unique_ptr<Connection>> m_links; ///< of the same index; while it is joined
    QString m_password;
    QTimer m_poll;
    QElapsedTimer m_sinceJoined;
    int m_prepared = 0; ///< nodes that have their slots
    int m_whole = 0;    ///< nodes that said so in this round
    bool m_ready = false;
    bool m_failed = false;
};

} // namespace lk
