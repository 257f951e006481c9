// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"
#include "backend/redis/url.h"

#include <QObject>

#include <memory>
#include <vector>

namespace lk {

class DemoClient;

/// The workload that makes the demo interesting: limiters under load, locks that change hands,
/// queues with slow and dying workers, tokens that are redeemed, replayed and forgotten, the
/// smaller patterns, and keys that are nobody's business. Bounded in memory however long it runs.
/// Meant for a thread of its own: move it there, then call the slots through their signals;
/// sockets and timers are made in that thread, and go by themselves when it ends: quit and wait
/// for the thread, then destroy this. In the main thread it may simply be destroyed.
/// The names it uses are those in demo.toml (":/demo/demo.toml").
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
