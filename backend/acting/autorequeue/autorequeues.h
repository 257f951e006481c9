// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/autorequeue/autorequeue.h"

#include <QHash>

namespace lk {

/// Auto-requeue of one session, at most one a queue. Lives in the I/O thread.
class AutoRequeues final : public QObject
{
    Q_OBJECT

public:
    AutoRequeues(ActionExecutor& executor, const Clock& clock, AutoRequeuePace pace,
                 QObject* parent);

    void start(const PrimitivePtr& queue, qint64 olderThanMs);
    void stop(const PrimitiveId& queue, const QString& why);
    bool isOn(const PrimitiveId& queue) const;
    /// A queue that has it may have got another list.
    void know(const PrimitivePtr& queue);
    void setClock(const ServerClock& clock);

signals:
    void changed(const lk::AutoRequeueStatus& status);

private:
    ActionExecutor& m_executor;
    const Clock& m_clock;
    AutoRequeuePace m_pace;
    ServerClock m_serverClock;
    QHash<PrimitiveId, AutoRequeue*> m_autoRequeues; ///< children; those that ended, too
};

} // namespace lk
