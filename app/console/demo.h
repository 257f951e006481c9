// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/session.h"

#include <QObject>
#include <QThread>

#include <memory>

namespace lk {

class DemoServer;
class DemoTraffic;

/// A private server with live traffic and what a session needs to show it. Ends both when it is
/// destroyed. GUI thread; the traffic has a thread of its own.
class Demo final : public QObject
{
    Q_OBJECT

public:
    Demo();
    ~Demo() override;

    void start();
    /// Once it is ready. What is tried out there is kept in the demo's own folder.
    Session::Setup setup() const;

signals:
    void ready();
    void failed(const lk::Error& error);

private:
    void startTraffic();

    std::unique_ptr<DemoServer> m_server;
    std::unique_ptr<DemoTraffic> m_traffic;
    QThread m_thread;
};

} // namespace lk
