// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/recording/leftopen.h"

#include "backend/history/recordqueries.h"

namespace lk {

namespace {

constexpr qint64 longestMs = 90LL * 24 * 3600 * 1000;
constexpr qint64 foundWithinMs = 300'000; // the maximum duration of a first scan of a large server

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
    clear();
    m_resumedMs = atMs;
    RecordQueries queries(path);
    if (!queries.open())
        return;
    for (const RecordedEvent& event : queries.unended(deployment, atMs - longestMs)) {
        if (!event.primitive.name.isEmpty())
            m_open[event.primitive].push_back(event);
    }
    for (RecordedHold& hold : queries.leftHolds(deployment))
        m_holds[hold.primitive].push_back(std::move(hold));
}

void LeftOpen::resume(Life& life, const PrimitiveId& id)
{
    if (!m_open.isEmpty())
        goOn(life, m_open.take(id));
    if (!m_holds.isEmpty())
        life.holds.resume(m_holds.take(id));
}

void LeftOpen::giveUp(qint64 nowMs, RecordBatch& batch)
{
    if ((m_open.isEmpty() && m_holds.isEmpty()) || nowMs - m_resumedMs < foundWithinMs)
        return;
    for (auto it = m_open.cbegin(); it != m_open.cend(); ++it) {
        Life life;
        goOn(life, it.value());
        endLife(life, it.key(), it.value().front().kind, m_resumedMs, batch);
    }
    clear(); // the holds end when they were last seen
}

} // namespace lk
