// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "widgets/charts/timechart.h"

#include <QList>
#include <QPointer>

namespace lk {

class Session;

/// Keeps a set of charts fed with the series of one primitive, for the stretch of time that each
/// shows, and moves them together when one is panned or zoomed.
class SeriesFeed final : public QObject
{
    Q_OBJECT

public:
    explicit SeriesFeed(QObject* parent);

    /// The chart's series number `series` shows the metric. Not owned.
    void add(TimeChart* chart, int series, int metric);
    void setSource(Session* session, Handle handle);
    void setSpan(qint64 spanMs);
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

    QPointer<Session> m_session;
    Handle m_handle = noHandle;
    std::vector<Line> m_lines;
    QList<TimeChart*> m_charts;
};

} // namespace lk
