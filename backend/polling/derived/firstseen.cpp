// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/derived/firstseen.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qsizetype mostItems = 10'000; // of one queue
constexpr qint64 againMs = 1000;

// Items in processing beyond the bounded range are not visible but not gone, and keep their age.
// Keeps as many as there are, those first seen last, because items that have left are older.
void addUnseen(QHash<quint64, qint64>& present, const QHash<quint64, qint64>& known,
               qsizetype processing)
{
    std::vector<std::pair<qint64, quint64>> unseen;
    for (auto it = known.cbegin(); it != known.cend(); ++it) {
        if (!present.contains(it.key()))
            unseen.emplace_back(it.value(), it.key());
    }
    const qsizetype room = std::max<qsizetype>(0, std::min(processing, mostItems) - present.size());
    if (qsizetype(unseen.size()) > room) {
        std::sort(unseen.begin(), unseen.end(), std::greater<>());
        unseen.resize(size_t(room));
    }
    for (const auto& [sinceMs, fingerprint] : unseen)
        present.insert(fingerprint, sinceMs);
}

} // namespace

void FirstSeen::restore(const std::vector<FirstSeenRecord>& firstSeen)
{
    for (const FirstSeenRecord& record : firstSeen) {
        qint64& known = m_queues[record.queue][record.fingerprint];
        known = known == 0 ? record.firstSeenMs : std::min(known, record.firstSeenMs);
    }
}

void FirstSeen::apply(State& state)
{
    auto* queue = state.body.find<QueueState>();
    if (!queue || state.problem)
        return;
    QHash<quint64, qint64>& known = m_queues[state.primitive->id.name];
    QHash<quint64, qint64> present;
    std::optional<qint64> oldest;
    // An item may have left since its list was read, so its age is taken at that time.
    const qint64 seenMs = state.payloads->asOfMs.value_or(state.asOfMs);
    const DeclarationPtr& declaration = state.primitive->declaration;
    if (m_stuckAfterMs > 0 && !(declaration && declaration->stuckAfterMs))
        queue->stuckAfterMs = m_stuckAfterMs;
    if (!queue->stuckByLibrary)
        queue->stuck = 0;
    for (QueueJob& item : queue->items) {
        // If the clock was set back, the first-seen time would be in the future; uses the present
        // time.
        const qint64 since = std::min(known.value(item.fingerprint, seenMs), seenMs);
        present.insert(item.fingerprint, since);
        item.firstSeenMs = since;
        const qint64 sinceMs = item.facts.startedMs.value_or(since);
        const qint64 age = seenMs - sinceMs;
        // The item is shown as in progress, so its age is taken now.
        oldest = std::max(oldest.value_or(0), std::max<qint64>(0, state.asOfMs - sinceMs));
        if (!queue->stuckByLibrary && age >= queue->stuckAfterMs)
            ++queue->stuck;
    }
    queue->oldestProcessingMs = oldest;
    if (queue->stuck > 0 && oldest) {
        state.health = atMost(Health::Error, *state.primitive);
        state.urgency = double(*oldest);
    }
    revisitWhenStuck(state, *queue);
    if (queue->itemsTruncated)
        addUnseen(present, known, qsizetype(queue->processing.value_or(0)));
    if (present == known)
        return;
    m_changed = true;
    known = std::move(present);
}

// No write announces that an item becomes stuck.
void FirstSeen::revisitWhenStuck(State& state, const QueueState& queue)
{
    const qint64 seenMs = state.payloads->asOfMs.value_or(state.asOfMs);
    qint64& dueMs = state.payloads.edit().dueMs;
    dueMs = 0;
    if (queue.stuckByLibrary)
        return;
    for (const QueueJob& item : queue.items) {
        const qint64 stuckAtMs =
            item.facts.startedMs.value_or(*item.firstSeenMs) + queue.stuckAfterMs;
        if (stuckAtMs > seenMs && (dueMs == 0 || stuckAtMs < dueMs))
            dueMs = stuckAtMs;
    }
    if (dueMs == 0)
        return;
    // The time may be past while the list waits to be read again.
    const qint64 atMs = dueMs > state.asOfMs ? dueMs : state.asOfMs + againMs;
    if (state.revisitAtMs == 0 || atMs < state.revisitAtMs)
        state.revisitAtMs = atMs;
}

void FirstSeen::forget(const QByteArray& queue)
{
    if (m_queues.remove(queue) > 0)
        m_changed = true;
}

void FirstSeen::forget(const QByteArray& queue, quint64 fingerprint)
{
    const auto known = m_queues.find(queue);
    if (known != m_queues.end() && known->remove(fingerprint) > 0)
        m_changed = true;
}

std::vector<FirstSeenRecord> FirstSeen::firstSeen() const
{
    std::vector<FirstSeenRecord> result;
    for (auto queue = m_queues.cbegin(); queue != m_queues.cend(); ++queue) {
        for (auto item = queue->cbegin(); item != queue->cend(); ++item)
            result.push_back({queue.key(), item.key(), item.value()});
    }
    return result;
}

} // namespace lk
