// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recordedages.h"

#include <QHash>

namespace lk {

/// Facts about primitives from before this console began to watch, as the recording has them: since
/// when they are known, locks held, queues paused, limiters full. Pure.
class EarlierFacts
{
public:
    /// Restores the holds of the last recording. If owner and lease continue, it is the same hold.
    void restore(const std::vector<RecordedHold>& holds);
    /// Restores the ages of all states. Call it after the holds were restored.
    void restore(const RecordedAges& ages);
    /// Corrects what was observed. Applies once for each primitive.
    void apply(State& state);
    /// True if its last recorded hold or state may continue.
    bool isInterrupted(const PrimitiveId& id) const
    {
        return m_holds.contains(id) || m_unended.contains(id);
    }

private:
    void applyHold(State& state);
    void applyAge(State& state);
    void applyPaused(State& state, qint64 firstMs) const;
    void applyLimiter(State& state, const LimiterState& limiter) const;
    const RecordedEvent* unended(const PrimitiveId& id, EventType type) const;

    QHash<PrimitiveId, std::vector<RecordedHold>> m_holds; ///< several for a shared lock
    qint64 m_untilMs = 0;
    QHash<PrimitiveId, qint64> m_firstMs;
    QHash<PrimitiveId, std::vector<RecordedEvent>> m_unended;
};

} // namespace lk
