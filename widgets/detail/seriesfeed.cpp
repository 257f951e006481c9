// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/seriesfeed.h"

#include "backend/monitor/session.h"

namespace lk {

SeriesFeed::SeriesFeed(QObject* parent)
    : QObject(parent)
{}

void SeriesFeed::add(TimeChart* chart, int series, int metric)
{
    m_lines.push_back({chart, series, metric});
    if (m_charts.contains(chart))
        return;
    m_charts.append(chart);
    connect(chart, &TimeChart::rangeChanged, this, [this, chart] { fill(chart); });
}

void SeriesFeed::setSource(Session* session, Handle handle)
{
    m_session = session;
    m_handle = handle;
    for (TimeChart* chart : std::as_const(m_charts)) {
        chart->follow();
        fill(chart);
    }
}

void SeriesFeed::setSpan(qint64 spanMs)
{
    for (TimeChart* chart : std::as_const(m_charts))
        chart->setSpan(spanMs);
}

void SeriesFeed::refresh(qint64 serverNowMs)
{
    for (TimeChart* chart : std::as_const(m_charts)) {
        chart->setNow(serverNowMs);
        if (chart->isVisible())
            fill(chart);
    }
}

void SeriesFeed::fill(TimeChart* chart)
{
    if (!m_session)
        return;
    for (const Line& line : m_lines) {
        if (line.chart != chart)
            continue;
        const Series* series = m_session->series().find(m_handle, line.metric);
        chart->setPoints(line.series,
                         series ? series->points(chart->fromMs(), chart->toMs(), chart->wantedPoints())
                                : std::vector<SeriesPoint>());
    }
}

} // namespace lk
