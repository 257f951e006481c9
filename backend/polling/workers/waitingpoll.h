// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/registry.h"
#include "backend/polling/workers/waitingworkers.h"

#include <QObject>

namespace lk {

/// Asks every few seconds who waits for lists, while a queue is selected and only then: the list
/// of clients costs the server more than a key. Lives in the I/O thread.
class WaitingPoll final : public QObject
{
    Q_OBJECT

public:
    WaitingPoll(Link& control, const Registry& registry, QObject* parent);

    void select(Handle handle) { m_selected = handle; }
    /// As INFO told.
    void setConnections(qint64 connections) { m_connections = connections; }
    void everySecond();

signals:
    void found(const lk::WaitingWorkersPtr& waiting);

private:
    PrimitiveId onlyEmptyQueue() const;

    Link& m_control;
    const Registry& m_registry;
    Handle m_selected = noHandle;
    Handle m_askedFor = noHandle; ///< the queue that was selected when it was asked last
    qint64 m_connections = 0;
    int m_seconds = 0; ///< since then
};

} // namespace lk
