// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/monitor/earlierfacts.h"

#include <algorithm>

namespace lk {

namespace {

// A limiter may be clear and full again at any time, so nothing is known after a longer gap.
constexpr qint64 longestGapMs = 60'000;

} // namespace

void EarlierFacts::restore(const std::vector<RecordedHold>& holds)
{
    for (const RecordedHold& hold : holds)
        m_holds[hold.primitive].push_back(hold);
}

void EarlierFacts::restore(const RecordedAges& ages)
{
    m_untilMs = ages.untilMs;
    m_firstMs.reserve(qsizetype(ages.firstMs.size()));
    for (const auto& [id, firstMs] : ages.firstMs)
        m_firstMs.insert(id, firstMs);
    for (const RecordedEvent& event : ages.unended)
        m_unended[event.primitive].push_back(event);
}

void EarlierFacts::apply(State& state)
{
    if (state.problem)
        return;
    applyHold(state);
    applyAge(state);
}

void EarlierFacts::applyHold(State& state)
{
    const auto* lock = state.as<LockState>();
    if (!lock || m_holds.isEmpty())
        return;
    const std::vector<RecordedHold> holds = m_holds.take(state.primitive->id);
    // If it changed hands since it was first seen, the recorded hold has ended.
    const bool isFirst = state.observed.sinceMs == state.observed.firstSeenMs;
    const bool held = lock->leaseMs ? lock->phase == LockState::Phase::Held
                                    : lock->phase == LockState::Phase::NoTtl;
    if (!isFirst || !held || !lock->ownerKnown)
        return;
    const auto hold = std::ranges::find_if(holds, [&](const RecordedHold& known) {
        return known.goesOn({lock->owner, lock->leaseMs}, state, *lock, state.observed.firstSeenMs);
    });
    if (hold == holds.end())
        return;
    state.observed.sinceMs = std::min(state.observed.sinceMs, hold->fromMs);
    state.observed.firstSeenMs = std::min(state.observed.firstSeenMs, hold->fromMs);
    state.observed.renewals += hold->renewals;
}

void EarlierFacts::applyAge(State& state)
{
    if (m_firstMs.isEmpty() || !state.present)
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
void EarlierFacts::applyPaused(State& state, qint64 firstMs) const
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

void EarlierFacts::applyLimiter(State& state, const LimiterState& limiter) const
{
    const RecordedEvent* began = unended(state.primitive->id, EventType::FullBegan);
    if (began && limiter.remaining == 0 && state.observed.fullSinceMs > 0 &&
        state.observed.fullSinceMs - m_untilMs <= longestGapMs)
        state.observed.fullSinceMs = std::min(state.observed.fullSinceMs, began->tMs);
}

const RecordedEvent* EarlierFacts::unended(const PrimitiveId& id, EventType type) const
{
    const auto known = m_unended.constFind(id);
    if (known == m_unended.cend())
        return nullptr;
    const auto event = std::ranges::find(*known, type, &RecordedEvent::type);
    return event == known->end() ? nullptr : &*event;
}

} // namespace lk
