// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/report/snapshot/extremes.h"

namespace lk {

namespace {

// The greatest few of many, the greatest first; of equal ones those that came first.
template<typename Value> class Greatest
{
public:
    explicit Greatest(size_t most)
        : m_most(most)
    {}

    void offer(double by, Value value)
    {
        if (m_items.size() == m_most && by <= m_items.back().first)
            return;
        const auto at = std::find_if(m_items.begin(), m_items.end(),
                                     [by](const auto& item) { return item.first < by; });
        m_items.emplace(at, by, std::move(value));
        if (m_items.size() > m_most)
            m_items.pop_back();
    }
    void moveTo(std::vector<Value>& all)
    {
        for (auto& [by, value] : m_items)
            all.push_back(std::move(value));
    }

private:
    size_t m_most;
    std::vector<std::pair<double, Value>> m_items;
};

std::optional<qint64> ageOf(const State& state)
{
    if (const auto* queue = state.as<QueueState>())
        return std::max(queue->oldestReadyMs, queue->oldestProcessingMs); // empty is the least
    if (const auto* limiter = state.as<LimiterState>(); limiter && limiter->newestMs)
        return std::max<qint64>(0, state.asOfMs - *limiter->newestMs);
    std::optional<qint64> oldest;
    if (const auto* lock = state.as<LockState>()) {
        for (const LockHolder& holder : lock->holders) {
            if (holder.sinceMs)
                oldest = std::max(oldest, std::optional(state.asOfMs - *holder.sinceMs));
        }
    }
    return oldest;
}

} // namespace

Extremes extremesOf(const StateSequence& states)
{
    Greatest<Extremes::Full> limiters(Extremes::mostFull);
    Greatest<Extremes::Full> locks(Extremes::mostFull);
    Greatest<Extremes::Full> queues(Extremes::mostFull);
    Greatest<Extremes::Old> oldest(Extremes::mostOld);
    for (size_t at = 0; at < states.size(); ++at) {
        const Kind kind = states.primitive(at).kind;
        if (kind != Kind::Limiter && kind != Kind::Lock && kind != Kind::Queue)
            continue;
        const StatePtr state = states.state(at);
        if (const auto* limiter = state->as<LimiterState>()) {
            const qint64 used = limiter->occupancy.value_or(0);
            const qint64 limit = limiter->limit.value_or(0);
            if (used > 0 && limit > 0)
                limiters.offer(double(used) / double(limit), {state, used, limit});
        } else if (const auto* lock = state->as<LockState>()) {
            const qint64 limit = lock->limit.value_or(0);
            if (lock->holds > 0 && limit > 1)
                locks.offer(double(lock->holds) / double(limit), {state, lock->holds, limit});
        } else if (const auto* queue = state->as<QueueState>()) {
            const qint64 jobs = queue->ready.value_or(0) + queue->processing.value_or(0) +
                                queue->delayed.value_or(0);
            if (jobs > 0)
                queues.offer(double(jobs), {state, jobs, std::nullopt});
        }
        if (const std::optional<qint64> age = ageOf(*state))
            oldest.offer(double(*age), {state, *age});
    }
    Extremes extremes;
    for (Greatest<Extremes::Full>* full : {&limiters, &locks, &queues})
        full->moveTo(extremes.fullest);
    oldest.moveTo(extremes.oldest);
    return extremes;
}

} // namespace lk
