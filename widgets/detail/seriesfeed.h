// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/session/session.h"
#include "widgets/charts/time/timeaxis.h"
#include "widgets/charts/time/timechart.h"

#include <QList>
#include <QPointer>

namespace lk {

/// Keeps a set of charts fed with the series of one primitive. They share one stretch of time: one
/// is panned or zoomed, all are.
class SeriesFeed final : public QObject
{
    Q_OBJECT

public:
    /// futureShare: of the width, beyond now.
    explicit SeriesFeed(QObject* parent, double futureShare = 0);

    TimeAxis* axis() { return &m_axis; }
    /// The chart's series number `series` shows the metric. Not owned.
    void add(TimeChart* chart, int series, int metric);
    /// The chart is not fed any more.
    void remove(TimeChart* chart);
    /// staleAfterMs: what was recorded no longer ago still holds; 0: as of what has attention.
    void setSource(Session* session, Handle handle, qint64 staleAfterMs = 0);
    /// New samples may be there; also moves the charts' now.
    void refresh(qint64 serverNowMs);

private:
    struct Line
    {
        TimeChart* chart;
        int series;
        int metric;
    };
    void fill(TimeChart* chart);
    void fillSeen();

    QPointer<Session> m_session;
    Handle m_handle = noHandle;
    qint64 m_staleAfterMs = 0;
    std::vector<Line> m_lines;
    QList<TimeChart*> m_charts;
    TimeAxis m_axis;
};

} // namespace lk
