// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recordqueries.h"

#include <QObject>

#include <functional>

namespace lk {

using RecordedMomentPtr = std::shared_ptr<const RecordedMoment>;
using RecordedSeriesPtr = std::shared_ptr<const RecordedSeries>;
using RecordedEvents = std::vector<RecordedEvent>;
using RecordedHolds = std::vector<RecordedHold>;
using RecordedGaps = std::vector<RecordedGap>;

/// RecordQueries for callers that must not block. Lives in a worker thread with its own connection.
/// Call the slots through the event loop; the ticket is returned with the answer. If there is no
/// recording, answers are empty.
class RecordReader final : public QObject
{
    Q_OBJECT

public:
    explicit RecordReader(QString path);
    ~RecordReader() override;

public slots:
    void askSpan(quint64 ticket, const QByteArray& deployment);
    void askMoment(quint64 ticket, const QByteArray& deployment, qint64 tMs);
    void askSeries(quint64 ticket, const lk::RecordedId& id, const QByteArray& metric,
                   qint64 fromMs, qint64 toMs, int maxPoints);
    void askHolds(quint64 ticket, const lk::RecordedId& id, qint64 fromMs, qint64 toMs);
    void askEvents(quint64 ticket, const lk::RecordQueries::EventQuery& query);
    void askNextEvent(quint64 ticket, const QByteArray& deployment, qint64 afterMs,
                      const QSet<lk::EventType>& types);
    void askPreviousEvent(quint64 ticket, const QByteArray& deployment, qint64 beforeMs,
                          const QSet<lk::EventType>& types);
    void askGaps(quint64 ticket, const QByteArray& deployment, qint64 fromMs, qint64 toMs);
    /// Runs work in this thread, for queries that no other slot covers.
    void ask(const std::function<void(lk::RecordQueries&)>& work);

signals:
    void spanReady(quint64 ticket, const lk::RecordedSpan& span);
    void momentReady(quint64 ticket, const lk::RecordedMomentPtr& moment);
    void seriesReady(quint64 ticket, const lk::RecordedSeriesPtr& series);
    void holdsReady(quint64 ticket, const lk::RecordedHolds& holds);
    void eventsReady(quint64 ticket, const lk::RecordedEvents& events);
    /// Answers askNextEvent() and askPreviousEvent(): one event or none.
    void eventFound(quint64 ticket, const lk::RecordedEvents& found);
    void gapsReady(quint64 ticket, const lk::RecordedGaps& gaps);
    /// The file cannot be read. Emitted once until it can be read again.
    void failed(const lk::Error& error);

private:
    RecordQueries* queries();

    QString m_path;
    std::unique_ptr<RecordQueries> m_queries;
    bool m_failed = false;
};

} // namespace lk

Q_DECLARE_METATYPE(lk::RecordedSpan)
Q_DECLARE_METATYPE(lk::RecordedId)
Q_DECLARE_METATYPE(lk::RecordedMomentPtr)
Q_DECLARE_METATYPE(lk::RecordedSeriesPtr)
Q_DECLARE_METATYPE(lk::RecordedEvents)
Q_DECLARE_METATYPE(lk::RecordedGaps)
