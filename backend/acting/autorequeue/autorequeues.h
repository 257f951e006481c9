// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/autorequeue/autorequeue.h"

#include <QHash>

namespace lk {

/// The auto-requeues of one session, at most one per queue. Lives in the I/O thread.
class AutoRequeues final : public QObject
{
    Q_OBJECT

public:
    AutoRequeues(ActionExecutor& executor, const Clock& clock, AutoRequeuePace pace,
                 QObject* parent);

    void start(const PrimitivePtr& queue, qint64 olderThanMs);
    void stop(const PrimitiveId& queue, const QString& why);
    bool isOn(const PrimitiveId& queue) const;
    /// Passes a newer reading to the queue's auto-requeue: it may have another list.
    void know(const PrimitivePtr& queue);
    void setClock(const ServerClock& clock);

signals:
    void changed(const lk::AutoRequeueStatus& status);

private:
    ActionExecutor& m_executor;
    const Clock& m_clock;
    AutoRequeuePace m_pace;
    ServerClock m_serverClock;
    QHash<PrimitiveId, AutoRequeue*> m_autoRequeues; ///< children; includes ended ones
};

} // namespace lk
