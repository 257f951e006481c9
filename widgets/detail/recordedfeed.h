// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/holdlog.h"
#include "backend/history/series.h"
#include "backend/session/session.h"
#include "widgets/charts/timeaxis.h"

#include <QByteArrayList>
#include <QHash>
#include <QPointer>

namespace lk {

/// What the recording knows of one primitive in the stretch of time that its charts show. Loaded as
/// that moves, and as much again on either side, so that panning finds it there; until it has come,
/// what was loaded before stays. GUI thread.
class RecordedFeed final : public QObject
{
    Q_OBJECT

public:
    /// The axis outlives this; its marks are set here.
    RecordedFeed(TimeAxis& axis, QObject* parent);

    /// Another primitive, or another session: what was loaded is forgotten.
    void setSource(Session* session, const PrimitiveId& id);
    void setMetrics(const QByteArrayList& metrics); ///< by Metric::id
    /// Asks for what is not there yet. What is younger than memoryFromMs is in memory. points: for
    /// the axis' span.
    void update(qint64 memoryFromMs, int points);
    /// It has asked for numbers, which are not here yet.
    bool isLoading() const { return m_open > 0; }

    bool isEmpty() const { return m_points.isEmpty(); }
    /// All that is loaded, oldest first; before: what is compared with, moved to the present.
    const std::vector<SeriesPoint>& points(const QByteArray& metric) const;
    const std::vector<SeriesPoint>& before(const QByteArray& metric) const;
    const std::vector<Hold>& holds() const { return m_holds; }
    qint64 knownToMs() const { return m_loaded.toMs; } ///< all until then is loaded

signals:
    void loaded();

private:
    struct Stretch
    {
        qint64 fromMs = 0;
        qint64 toMs = 0;
        qint64 spanMs = 0; ///< of the axis
        qint64 compareMs = 0;
    };
    struct Asked
    {
        QByteArray metric;
        bool before = false;
    };
    void forget();
    bool isComparedLoaded() const;
    void ask(SessionHistory& history, const Stretch& stretch, int points);
    void connectHistory();
    void answered();
    void updateMarks(SessionHistory& history);

    TimeAxis& m_axis;
    QPointer<Session> m_session;
    QPointer<SessionHistory> m_history; ///< whose signals are connected
    PrimitiveId m_id;
    QByteArrayList m_metrics;
    Stretch m_loaded;
    Stretch m_asking;
    qint64 m_beforeToMs = 0; ///< until then is loaded what is compared with, moved to the present
    QHash<quint64, Asked> m_asked;
    quint64 m_holdsTicket = 0;
    quint64 m_marksTicket = 0; ///< 0: none is asked for
    Stretch m_marked;          ///< whose marks are there, or asked for
    int m_open = 0;            ///< questions without an answer
    QHash<QByteArray, std::vector<SeriesPoint>> m_points;
    QHash<QByteArray, std::vector<SeriesPoint>> m_before;
    std::vector<Hold> m_holds;
};

/// Those of a stretch of time, with the one that holds at its beginning and the first after it.
std::vector<SeriesPoint> pointsIn(const std::vector<SeriesPoint>& points, qint64 fromMs,
                                  qint64 toMs);

/// The numbers that are in memory, oldest first, and those that are in the file for all the time
/// that memory knows nothing of: before it begins, and where nobody had them on the screen. What
/// the file has is known until knownToMs.
std::vector<SeriesPoint> mergedPoints(const std::vector<SeriesPoint>& recorded,
                                      const std::vector<SeriesPoint>& memory, qint64 knownToMs);
/// When the last time ends of which memory knows nothing; 0: there is no such time after its begin.
qint64 lastHoleEnd(const std::vector<SeriesPoint>& memory, qint64 nowMs);

} // namespace lk
