// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/recording/lifeevents.h"

#include <QHash>

namespace lk {

/// The events and holds that had not ended when a deployment was last recorded: stuck jobs, full
/// limiters, paused queues, holders of a semaphore. The next recording continues them instead of
/// recording them again.
class LeftOpen
{
public:
    /// Reads the recording. atMs: when recording continues.
    void load(const QString& path, const QByteArray& deployment, qint64 atMs);
    void clear()
    {
        m_open.clear();
        m_holds.clear();
    }
    /// Restores a life for which nothing is recorded yet.
    void resume(Life& life, const PrimitiveId& id);
    /// Ends what no longer exists: it ended while the deployment was not recorded.
    void giveUp(qint64 nowMs, RecordBatch& batch);

private:
    QHash<PrimitiveId, std::vector<RecordedEvent>> m_open;
    QHash<PrimitiveId, std::vector<RecordedHold>> m_holds; ///< holds of semaphores and shared locks
    qint64 m_resumedMs = 0;
};

} // namespace lk
