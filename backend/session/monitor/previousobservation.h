// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recordedages.h"

#include <QHash>

namespace lk {

/// Restores, from the recording, since when primitives are known, and since when queues were paused
/// and limiters full before this console began to watch. Pure.
class PreviousObservation
{
public:
    void restore(const RecordedAges& ages);
    /// Applies once for each primitive.
    void apply(State& state);
    /// True if its last recorded state may continue.
    bool isInterrupted(const PrimitiveId& id) const { return m_unended.contains(id); }

private:
    void applyPaused(State& state, qint64 firstMs) const;
    void applyLimiter(State& state, const LimiterState& limiter) const;
    const RecordedEvent* unended(const PrimitiveId& id, EventType type) const;

    qint64 m_untilMs = 0;
    QHash<PrimitiveId, qint64> m_firstMs;
    QHash<PrimitiveId, std::vector<RecordedEvent>> m_unended;
};

} // namespace lk
