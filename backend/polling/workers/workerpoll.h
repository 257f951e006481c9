// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/registry.h"
#include "backend/redis/link.h"
#include "backend/redis/server/clientlist.h"

#include <QObject>

#include <optional>

namespace lk {

/// Lists the connected clients every ten seconds while there is a queue whose workers are
/// identified by their connections' names. Does not ask if there are too many connections. Lives in
/// the I/O thread.
class WorkerPoll final : public QObject
{
    Q_OBJECT

public:
    static constexpr qint64 mostConnections = 1000; ///< with more, the list costs too much
    static constexpr int everySeconds = 10;

    WorkerPoll(Link& control, QObject* parent);

    /// connections: as reported by INFO.
    void setConnections(qint64 connections) { m_connections = connections; }
    void everySecond();
    /// Adds the workers, if known, to a state that was just read.
    void apply(State& state);
    void reset() { m_clients.reset(); }

private:
    Link& m_control;
    std::optional<std::vector<ClientEntry>> m_clients;
    qint64 m_connections = 0;
    int m_seconds = everySeconds; ///< since the last request
    bool m_wanted = false;        ///< a state was read whose workers the list would contain
    bool m_denied = false;
};

} // namespace lk
