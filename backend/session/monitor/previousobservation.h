// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recordedages.h"

#include <QHash>

namespace lk {

/// Since when primitives are known, queues paused and limiters full that were so already when this
/// console began to watch, as far as the recording knows. Pure.
class PreviousObservation
{
public:
    void restore(const RecordedAges& ages);
    /// Once for each primitive.
    void apply(State& state);
    /// What it was when it was recorded last may go on.
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
