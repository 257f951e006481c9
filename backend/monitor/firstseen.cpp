// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/monitor/firstseen.h"

#include <algorithm>

namespace lk {

void FirstSeen::restore(const std::vector<FirstSight>& sights)
{
    for (const FirstSight& sight : sights) {
        qint64& known = m_queues[sight.queue][sight.fingerprint];
        known = known == 0 ? sight.firstSeenMs : std::min(known, sight.firstSeenMs);
    }
}

void FirstSeen::apply(State& state)
{
    auto* queue = std::get_if<QueueState>(&state.body);
    if (!queue || state.problem)
        return;
    QHash<quint64, qint64>& known = m_queues[state.primitive->id.name];
    QHash<quint64, qint64> present;
    std::optional<qint64> oldest;
    queue->stuck = 0;
    for (QueueItem& item : queue->items) {
        // A clock set back would make an item come from the future: it is first seen now then.
        const qint64 since =
            std::min(known.value(item.fingerprint, state.asOfMs), state.asOfMs);
        present.insert(item.fingerprint, since);
        item.firstSeenMs = since;
        const qint64 age = state.asOfMs - since;
        oldest = std::max(oldest.value_or(0), age);
        if (age >= queue->stuckAfterMs)
            ++queue->stuck;
    }
    queue->oldestProcessingMs = oldest;
    if (queue->stuck > 0) {
        state.health = Health::Bad;
        state.urgency = double(*oldest);
    }
    if (present == known)
        return;
    m_changed = true;
    // Items beyond the bounded range are out of sight, not gone: they keep their age.
    if (queue->itemsTruncated) {
        for (auto it = known.cbegin(); it != known.cend(); ++it)
            present.insert(it.key(), present.value(it.key(), it.value()));
    }
    constexpr qsizetype most = 10'000;
    if (present.size() <= most)
        known = std::move(present);
}

std::vector<FirstSight> FirstSeen::sights() const
{
    std::vector<FirstSight> result;
    for (auto queue = m_queues.cbegin(); queue != m_queues.cend(); ++queue) {
        for (auto item = queue->cbegin(); item != queue->cend(); ++item)
            result.push_back({queue.key(), item.key(), item.value()});
    }
    return result;
}

} // namespace lk
