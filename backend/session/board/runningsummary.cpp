// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/board/runningsummary.h"

namespace lk {

namespace {

constexpr qint64 shortestMs = 2000; // shortest measurement of a limiter's rise
constexpr qint64 usualMs = 10'000;  // usual duration, after the first one
constexpr qint64 silentMs = 30'000; // after this it no longer counts
constexpr qsizetype mostRises = 65'536;

// Returns the limiter if its window is not known, so that its use does not show its rate.
const LimiterState* withoutWindow(const State* state)
{
    const auto* limiter = state && !state->problem ? state->as<LimiterState>() : nullptr;
    return limiter && limiter->windowMs.value_or(0) <= 0 && limiter->occupancy ? limiter : nullptr;
}

// The values by which each list is ordered; 0: not in it.
double attentionOf(const State& state)
{
    return state.health >= Health::Warning ? double(state.health) * 1e15 + state.urgency : 0;
}

double fullnessOf(const State& state)
{
    const auto* limiter = state.as<LimiterState>();
    return limiter && limiter->limit.value_or(0) > 0
               ? double(limiter->occupancy.value_or(0)) / double(*limiter->limit)
               : 0;
}

double windowRateOf(const State& state)
{
    const auto* limiter = state.as<LimiterState>();
    return limiter && limiter->windowMs.value_or(0) > 0
               ? double(limiter->occupancy.value_or(0)) * 1000 / double(*limiter->windowMs)
               : 0;
}

double depthOf(const State& state)
{
    const auto* queue = state.as<QueueState>();
    return queue ? double(waitingJobs(*queue).value_or(0) + queue->processing.value_or(0)) : 0;
}

} // namespace

void RunningSummary::change(Handle handle, const State* before, const State* now)
{
    if (before)
        count(*before, -1);
    if (now)
        count(*now, +1);
    lead(handle, before, now);
}

void RunningSummary::count(const State& state, int by)
{
    const auto* token = state.as<TokenState>();
    if (token)
        m_tokenPhases[size_t(token->phase)] += by;
    if (!token && !state.as<LockState>())
        return;
    EndCounts& counts = token ? m_tokens : m_leases;
    by > 0 ? counts.add(endingOf(state), state.asOfMs)
           : counts.remove(endingOf(state), state.asOfMs);
}

void RunningSummary::lead(Handle handle, const State* before, const State* now)
{
    const auto change = [&](Leading& list, double (*valueOf)(const State&)) {
        list.change(handle, before ? valueOf(*before) : 0, now ? valueOf(*now) : 0);
    };
    change(m_attention, attentionOf);
    change(m_fullest, fullnessOf);
    change(m_deepest, depthOf);
    const double rateBefore = before ? ratePerSecond(handle, *before) : 0;
    measure(handle, before, now);
    m_busiest.change(handle, rateBefore, now ? ratePerSecond(handle, *now) : 0);
}

double RunningSummary::riseOf(Handle handle) const
{
    const auto it = m_rises.constFind(handle);
    return it == m_rises.cend() ? 0 : it->perSecond;
}

double RunningSummary::ratePerSecond(Handle handle, const State& state) const
{
    return withoutWindow(&state) ? riseOf(handle) : windowRateOf(state);
}

void RunningSummary::measure(Handle handle, const State* before, const State* now)
{
    const LimiterState* limiter = withoutWindow(now);
    const LimiterState* was = withoutWindow(before);
    if (!limiter || !was) {
        m_rises.remove(handle);
        return;
    }
    if (*limiter->occupancy <= *was->occupancy && !m_rises.contains(handle))
        return;
    auto it = m_rises.find(handle);
    if (it == m_rises.end()) {
        if (m_rises.size() >= mostRises)
            return;
        it = m_rises.insert(handle, {before->asOfMs, *was->occupancy, now->asOfMs, 0});
    }
    Rise& rise = *it;
    if (*limiter->occupancy < *was->occupancy) { // a new window
        rise = {now->asOfMs, *limiter->occupancy, now->asOfMs, rise.perSecond};
        return;
    }
    if (*limiter->occupancy > *was->occupancy)
        rise.lastMs = now->asOfMs;
    const qint64 tookMs = now->asOfMs - rise.fromMs;
    if (tookMs < (rise.perSecond > 0 ? usualMs : shortestMs))
        return;
    rise.perSecond = double(*limiter->occupancy - rise.from) * 1000 / double(tookMs);
    rise.fromMs = now->asOfMs;
    rise.from = *limiter->occupancy;
}

void RunningSummary::age(qint64 nowMs)
{
    m_rises.removeIf([&](const auto& one) {
        if (nowMs - one.value().lastMs <= silentMs)
            return false;
        m_busiest.change(one.key(), one.value().perSecond, 0);
        return true;
    });
}

void RunningSummary::lead(Handle handle, const State& state)
{
    m_attention.change(handle, 0, attentionOf(state));
    m_fullest.change(handle, 0, fullnessOf(state));
    m_busiest.change(handle, 0, ratePerSecond(handle, state));
    m_deepest.change(handle, 0, depthOf(state));
}

bool RunningSummary::isShort() const
{
    return m_attention.isShort() || m_fullest.isShort() || m_busiest.isShort() ||
           m_deepest.isShort();
}

void RunningSummary::startOver()
{
    for (Leading* list : {&m_attention, &m_fullest, &m_busiest, &m_deepest})
        list->startOver();
}

RunningSummary::Leaders RunningSummary::leaders() const
{
    return {m_attention.leaders(), m_fullest.leaders(), m_busiest.leaders(), m_deepest.leaders()};
}

void RunningSummary::countIn(Summary& summary) const
{
    const auto tokens = [this](TokenState::Phase phase) { return m_tokenPhases[size_t(phase)]; };
    summary.leasesByEnd = m_leases.ends();
    summary.noTtlLocks = m_leases.never();
    summary.tokensByEnd = m_tokens.ends();
    summary.tokensWithoutEnd = m_tokens.never();
    summary.tokensLive = tokens(TokenState::Phase::Live);
    summary.tokensUsed = tokens(TokenState::Phase::Used);
    summary.tokensNeverIssued = tokens(TokenState::Phase::NeverIssued);
}

} // namespace lk
