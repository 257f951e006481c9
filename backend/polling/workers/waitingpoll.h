// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/registry.h"
#include "backend/polling/workers/waitingworkers.h"

#include <QObject>

namespace lk {

/// Lists the clients that wait for lists every few seconds, but only while a queue is selected: the
/// client list costs the server more than a key. Lives in the I/O thread.
class WaitingPoll final : public QObject
{
    Q_OBJECT

public:
    WaitingPoll(Link& control, const Registry& registry, QObject* parent);

    void select(Handle handle) { m_selected = handle; }
    /// connections: as reported by INFO.
    void setConnections(qint64 connections) { m_connections = connections; }
    void everySecond();

signals:
    void found(const lk::WaitingWorkersPtr& waiting);

private:
    PrimitiveId onlyEmptyQueue() const;

    Link& m_control;
    const Registry& m_registry;
    Handle m_selected = noHandle;
    Handle m_askedFor = noHandle; ///< the queue that was selected at the last request
    qint64 m_connections = 0;
    int m_seconds = 0; ///< since then
};

} // namespace lk
