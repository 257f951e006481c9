// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"
#include "backend/redis/url.h"

#include <QObject>

#include <memory>
#include <vector>

namespace lk {

class DemoClient;

/// The workload of the demo: limiters under load, locks that change hands, queues with slow and
/// crashing workers, tokens that are redeemed, replayed and forgotten, the smaller patterns, and
/// keys without a layout. Its memory is bounded. Intended for its own thread: move it there, then
/// call the slots through signals. It creates sockets and timers in that thread, and they are
/// destroyed when the thread ends. Quit and wait for the thread before you destroy this object. In
/// the main thread it may be destroyed at any time. Uses the names in demo.toml
/// (":/demo/demo.toml").
class DemoTraffic final : public QObject
{
    Q_OBJECT

public:
    explicit DemoTraffic(ServerUrl url, quint32 seed = 1, QObject* parent = nullptr);
    ~DemoTraffic() override;

public slots:
    void start();
    void stop();

signals:
    /// The server answered one of the clients with an error; the traffic goes on.
    void problem(const lk::Error& error);

private:
    ServerUrl m_url;
    quint32 m_seed;
    std::vector<std::unique_ptr<DemoClient>> m_clients;
};

} // namespace lk
