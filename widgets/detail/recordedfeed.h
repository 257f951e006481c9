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

/// The recorded data of one primitive in the span that its charts show. Loads when the span moves,
/// and as much again on either side, so that panning finds data there. Old data stays until the new
/// data arrives. GUI thread.
class RecordedFeed final : public QObject
{
    Q_OBJECT

public:
    /// The axis outlives this; its marks are set here.
    RecordedFeed(TimeAxis& axis, QObject* parent);

    /// Another primitive, or another session: forgets the loaded data.
    void setSource(Session* session, const PrimitiveId& id);
    void setMetrics(const QByteArrayList& metrics); ///< by Metric::id
    /// Asks for data that is missing. Data younger than memoryFromMs is in memory. points: the
    /// number for the axis' span.
    void update(qint64 memoryFromMs, int points);
    /// Numbers were asked for and have not arrived yet.
    bool isLoading() const { return m_open > 0; }

    bool isEmpty() const { return m_points.isEmpty(); }
    /// Everything that is loaded, oldest first. before(): the comparison, moved to the present.
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
        qint64 spanMs = 0; ///< the axis' span
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
    QPointer<SessionHistory> m_history; ///< the object whose signals are connected
    PrimitiveId m_id;
    QByteArrayList m_metrics;
    Stretch m_loaded;
    Stretch m_asking;
    qint64 m_beforeToMs = 0; ///< the comparison is loaded up to then, moved to the present
    QHash<quint64, Asked> m_asked;
    quint64 m_holdsTicket = 0;
    quint64 m_marksTicket = 0; ///< 0: none is asked for
    Stretch m_marked;          ///< the span whose marks are loaded or asked for
    int m_open = 0;            ///< questions without an answer
    QHash<QByteArray, std::vector<SeriesPoint>> m_points;
    QHash<QByteArray, std::vector<SeriesPoint>> m_before;
    std::vector<Hold> m_holds;
};

/// Returns the points of a span, with the one that holds at its beginning and the first one after
/// it.
std::vector<SeriesPoint> pointsIn(const std::vector<SeriesPoint>& points, qint64 fromMs,
                                  qint64 toMs);

/// Returns the points in memory, oldest first, completed by the recording wherever memory has no
/// data: before its first point, and while the primitive was not on the screen. The recording is
/// known up to knownToMs.
std::vector<SeriesPoint> mergedPoints(const std::vector<SeriesPoint>& recorded,
                                      const std::vector<SeriesPoint>& memory, qint64 knownToMs);
/// Returns the end of the last span after its beginning of which memory knows nothing. 0 if there
/// is none.
qint64 lastHoleEnd(const std::vector<SeriesPoint>& memory, qint64 nowMs);

} // namespace lk
