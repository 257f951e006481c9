// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/recording/lifeevents.h"

#include <QHash>

namespace lk {

/// What had begun and not ended when a deployment was recorded last: stuck jobs, full limiters,
/// paused queues, holders of a semaphore. Whoever records it next goes on with that, instead of
/// telling it anew.
class LeftOpen
{
public:
    /// Reads the recording. atMs: when it goes on.
    void load(const QString& path, const QByteArray& deployment, qint64 atMs);
    void clear()
    {
        m_open.clear();
        m_holds.clear();
    }
    /// Of one that nothing is told of yet.
    void resume(Life& life, const PrimitiveId& id);
    /// What is not there any more ended while nobody recorded.
    void giveUp(qint64 nowMs, RecordBatch& batch);

private:
    QHash<PrimitiveId, std::vector<RecordedEvent>> m_open;
    QHash<PrimitiveId, std::vector<RecordedHold>> m_holds; ///< of semaphores and shared locks
    qint64 m_resumedMs = 0;
};

} // namespace lk
