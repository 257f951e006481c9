// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/recording/leftopen.h"

#include "backend/history/recordqueries.h"

namespace lk {

namespace {

constexpr qint64 longestMs = 90LL * 24 * 3600 * 1000;
constexpr qint64 foundWithinMs = 300'000; // for so long a first scan of a large server may take

void goOn(Life& life, const std::vector<RecordedEvent>& begun)
{
    for (const RecordedEvent& event : begun) {
        if (event.type == EventType::StuckBegan)
            life.stuckMs = event.tMs;
        else if (event.type == EventType::FullBegan)
            life.fullMs = event.tMs;
        else
            life.pausedMs = event.tMs;
        if (event.type == EventType::PausedBegan)
            life.pausedBefore = eventCodeOf(event.code) == EventCode::Before;
    }
}

} // namespace

void LeftOpen::load(const QString& path, const QByteArray& deployment, qint64 atMs)
{
    m_open.clear();
    m_resumedMs = atMs;
    RecordQueries queries(path);
    if (!queries.open())
        return;
    for (const RecordedEvent& event : queries.unended(deployment, atMs - longestMs)) {
        if (!event.primitive.name.isEmpty())
            m_open[event.primitive].push_back(event);
    }
}

void LeftOpen::resume(Life& life, const PrimitiveId& id)
{
    if (!m_open.isEmpty())
        goOn(life, m_open.take(id));
}

void LeftOpen::giveUp(qint64 nowMs, RecordBatch& batch)
{
    if (m_open.isEmpty() || nowMs - m_resumedMs < foundWithinMs)
        return;
    for (auto it = m_open.cbegin(); it != m_open.cend(); ++it) {
        Life life;
        goOn(life, it.value());
        endLife(life, it.key(), it.value().front().kind, m_resumedMs, batch);
    }
    m_open.clear();
}

} // namespace lk
