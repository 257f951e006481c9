// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/recordreader.h"

namespace lk {

RecordReader::RecordReader(QString path)
    : m_path(std::move(path))
{}

RecordReader::~RecordReader() = default;

// The file may appear later: a recording program creates it.
RecordQueries* RecordReader::queries()
{
    if (m_queries && m_queries->isInPlace())
        return m_queries.get();
    m_queries.reset();
    auto queries = std::make_unique<RecordQueries>(m_path);
    if (const Result<void> opened = queries->open(); !opened) {
        if (!std::exchange(m_failed, true))
            emit failed(opened.error());
        return nullptr;
    }
    m_failed = false;
    m_queries = std::move(queries);
    return m_queries.get();
}

void RecordReader::askSpan(quint64 ticket, const QByteArray& deployment)
{
    RecordQueries* q = queries();
    emit spanReady(ticket, q ? q->span(deployment) : RecordedSpan());
}

void RecordReader::askMoment(quint64 ticket, const QByteArray& deployment, qint64 tMs)
{
    RecordQueries* q = queries();
    emit momentReady(ticket, std::make_shared<RecordedMoment>(q ? q->momentAt(deployment, tMs)
                                                                : RecordedMoment()));
}

void RecordReader::askSeries(quint64 ticket, const RecordedId& id, const QByteArray& metric,
                             qint64 fromMs, qint64 toMs, int maxPoints)
{
    RecordQueries* q = queries();
    emit seriesReady(
        ticket, std::make_shared<RecordedSeries>(q ? q->series(id, metric, fromMs, toMs, maxPoints)
                                                   : RecordedSeries{id, metric, 0, {}}));
}

void RecordReader::askHolds(quint64 ticket, const RecordedId& id, qint64 fromMs, qint64 toMs)
{
    RecordQueries* q = queries();
    emit holdsReady(ticket, q ? q->holds(id, fromMs, toMs) : RecordedHolds());
}

void RecordReader::askEvents(quint64 ticket, const RecordQueries::EventQuery& query)
{
    RecordQueries* q = queries();
    emit eventsReady(ticket, q ? q->events(query) : RecordedEvents());
}

void RecordReader::askNextEvent(quint64 ticket, const QByteArray& deployment, qint64 afterMs,
                                const QSet<EventType>& types)
{
    RecordQueries* q = queries();
    const auto found = q ? q->nextEvent(deployment, afterMs, types) : std::nullopt;
    emit eventFound(ticket, found ? RecordedEvents{*found} : RecordedEvents());
}

void RecordReader::askPreviousEvent(quint64 ticket, const QByteArray& deployment, qint64 beforeMs,
                                    const QSet<EventType>& types)
{
    RecordQueries* q = queries();
    const auto found = q ? q->previousEvent(deployment, beforeMs, types) : std::nullopt;
    emit eventFound(ticket, found ? RecordedEvents{*found} : RecordedEvents());
}

void RecordReader::askGaps(quint64 ticket, const QByteArray& deployment, qint64 fromMs, qint64 toMs)
{
    RecordQueries* q = queries();
    emit gapsReady(ticket, q ? q->gaps(deployment, fromMs, toMs) : RecordedGaps());
}

void RecordReader::ask(const std::function<void(RecordQueries&)>& work)
{
    if (RecordQueries* q = queries())
        work(*q);
}

} // namespace lk
