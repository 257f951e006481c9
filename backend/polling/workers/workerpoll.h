// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/registry.h"
#include "backend/redis/link.h"
#include "backend/redis/server/clientlist.h"

#include <QObject>

#include <optional>

namespace lk {

/// Asks every ten seconds who is connected, while there is a queue whose workers are known by the
/// names of their connections and while the connections are few. Lives in the I/O thread.
class WorkerPoll final : public QObject
{
    Q_OBJECT

public:
    static constexpr qint64 mostConnections = 1000; ///< with more the list costs too much
    static constexpr int everySeconds = 10;

    WorkerPoll(Link& control, QObject* parent);

    /// As INFO told.
    void setConnections(qint64 connections) { m_connections = connections; }
    void everySecond();
    /// Puts the workers into a state that was just read, where they are known.
    void apply(State& state);
    void reset() { m_clients.reset(); }

private:
    Link& m_control;
    std::optional<std::vector<ClientEntry>> m_clients;
    qint64 m_connections = 0;
    int m_seconds = everySeconds; ///< since it was asked
    bool m_wanted = false;        ///< a state was read whose workers it would tell
    bool m_denied = false;
};

} // namespace lk
