// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/session/session.h"
#include "widgets/charts/time/timechart.h"
#include "widgets/charts/timeaxis.h"
#include "widgets/detail/recordedfeed.h"

#include <QList>
#include <QPointer>

namespace lk {

/// Feeds a set of charts with the series of one primitive: from memory, and older data from the
/// recording. In the past, all data is recorded. The charts share one span: panning or zooming one
/// moves all.
class SeriesFeed final : public QObject
{
    Q_OBJECT

public:
    /// futureShare: of the width, beyond now.
    explicit SeriesFeed(QObject* parent, double futureShare = 0);

    TimeAxis* axis() { return &m_axis; }
    /// The chart's series number `series` shows the metric. Not owned.
    void add(TimeChart* chart, int series, int metric);
    /// A number of the whole deployment: its id in the recording, and how many recorded units are
    /// one unit of the chart.
    struct TotalRecorded
    {
        QByteArray id;
        double unit = 1;
    };
    void add(TimeChart* chart, int series, int metric, const TotalRecorded& total);
    /// The chart is not fed any more.
    void remove(TimeChart* chart);
    /// If it is the same primitive in another session of the same deployment, the charts stay where
    /// they are. staleAfterMs: recorded values hold for that long; 0: as for a primitive that has
    /// attention.
    void setSource(Session* session, Handle handle, qint64 staleAfterMs = 0);
    /// New samples may be there; also moves the charts' now.
    void refresh(qint64 serverNowMs);
    /// The holds of a lock, oldest first: from memory and, once loaded, from the recording for the
    /// span that is shown.
    std::vector<Hold> holds() const;

signals:
    /// The user wants to see that moment everywhere.
    void momentChosen(qint64 tMs);
    void recordedHoldsChanged();

private:
    struct Line
    {
        TimeChart* chart;
        int series;
        int metric;
        TotalRecorded total = {}; ///< empty: it is one of the primitive's
    };
    void fill(TimeChart* chart);
    void fillSeen();
    void updateRecorded();
    PrimitivePtr source() const;
    QByteArray recordedId(const Line& line) const;
    const Series* inMemory(int metric) const;
    qint64 lastHoleOf(const Series& series) const;

    QPointer<Session> m_session;
    Handle m_handle = noHandle;
    qint64 m_staleAfterMs = 0;
    std::vector<Line> m_lines;
    QList<TimeChart*> m_charts;
    TimeAxis m_axis;
    RecordedFeed m_recorded;
    QPointer<Session> m_live;
    PrimitivePtr m_primitive; ///< the one whose series these are, once it is known
    bool m_chosen = false;    ///< a moment, in one of the charts: they stay where they are
};

} // namespace lk
