// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/board/runningsummary.h"

namespace lk {

namespace {

// By what each list is in order; 0: not in it.
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

double rateOf(const State& state)
{
    const auto* limiter = state.as<LimiterState>();
    return limiter && limiter->windowMs.value_or(0) > 0
               ? double(limiter->occupancy.value_or(0)) / double(*limiter->windowMs)
               : 0;
}

double depthOf(const State& state)
{
    const auto* queue = state.as<QueueState>();
    return queue ? double(queue->ready.value_or(0) + queue->processing.value_or(0)) : 0;
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
    change(m_busiest, rateOf);
    change(m_deepest, depthOf);
}

void RunningSummary::lead(Handle handle, const State& state)
{
    lead(handle, nullptr, &state);
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
