// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/session.h"

#include <QObject>
#include <QThread>

#include <memory>

namespace lk {

class DemoCluster;
class DemoServer;
class DemoTraffic;

/// A private server, or a small cluster, with live traffic and the setup of a session that shows
/// it. The destructor ends all of it. GUI thread; the traffic has a thread of its own.
class Demo final : public QObject
{
    Q_OBJECT

public:
    enum class Size : quint8 { Server, Cluster };

    explicit Demo(Size size = Size::Server);
    ~Demo() override;

    void start();
    /// Valid after ready(). The session's files are kept in the demo's own folder.
    Session::Setup setup() const;

signals:
    void ready();
    void failed(const lk::Error& error);

private:
    ServerUrl url() const;
    void startTraffic();

    std::unique_ptr<DemoServer> m_server;   ///< null if there is a cluster
    std::unique_ptr<DemoCluster> m_cluster; ///< null if there is a single server
    std::unique_ptr<DemoTraffic> m_traffic;
    QThread m_thread;
};

} // namespace lk
