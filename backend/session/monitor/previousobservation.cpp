// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/monitor/previousobservation.h"

#include <algorithm>

namespace lk {

namespace {

// A limiter may be clear and full again at any time, so nothing is known after a longer gap.
constexpr qint64 longestGapMs = 60'000;

} // namespace

void PreviousObservation::restore(const RecordedAges& ages)
{
    m_untilMs = ages.untilMs;
    m_firstMs.reserve(qsizetype(ages.firstMs.size()));
    for (const auto& [id, firstMs] : ages.firstMs)
        m_firstMs.insert(id, firstMs);
    for (const RecordedEvent& event : ages.unended)
        m_unended[event.primitive].push_back(event);
}

void PreviousObservation::apply(State& state)
{
    if (m_firstMs.isEmpty() || state.problem || !state.present)
        return;
    const PrimitiveId& id = state.primitive->id;
    const qint64 firstMs = m_firstMs.take(id);
    if (firstMs <= 0)
        return;
    if (const auto* queue = state.as<QueueState>(); queue && queue->paused)
        applyPaused(state, firstMs);
    else
        state.observed.firstSeenMs = std::min(state.observed.firstSeenMs, firstMs);
    if (const auto* limiter = state.as<LimiterState>())
        applyLimiter(state, *limiter);
    m_unended.remove(id);
}

// If it is not known when it was paused, the time of the first sighting counts.
void PreviousObservation::applyPaused(State& state, qint64 firstMs) const
{
    const RecordedEvent* began = unended(state.primitive->id, EventType::PausedBegan);
    const bool isFirst = state.observed.sinceMs == state.observed.firstSeenMs;
    if (!began || !isFirst || began->tMs > state.observed.sinceMs)
        return;
    state.observed.sinceMs = began->tMs;
    state.observed.firstSeenMs = eventCodeOf(began->code) == EventCode::Before
                                     ? began->tMs
                                     : std::min(firstMs, began->tMs - 1);
}

void PreviousObservation::applyLimiter(State& state, const LimiterState& limiter) const
{
    const RecordedEvent* began = unended(state.primitive->id, EventType::FullBegan);
    if (began && limiter.remaining == 0 && state.observed.fullSinceMs > 0 &&
        state.observed.fullSinceMs - m_untilMs <= longestGapMs)
        state.observed.fullSinceMs = std::min(state.observed.fullSinceMs, began->tMs);
}

const RecordedEvent* PreviousObservation::unended(const PrimitiveId& id, EventType type) const
{
    const auto known = m_unended.constFind(id);
    if (known == m_unended.cend())
        return nullptr;
    const auto event = std::ranges::find(*known, type, &RecordedEvent::type);
    return event == known->end() ? nullptr : &*event;
}

} // namespace lk
