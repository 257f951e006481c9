// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/seriesfeed.h"

#include "backend/session/session.h"

#include <algorithm>

namespace lk {

SeriesFeed::SeriesFeed(QObject* parent, double futureShare)
    : QObject(parent)
    , m_axis(chartSpans().front(), futureShare, this)
{
    connect(&m_axis, &TimeAxis::rangeChanged, this, &SeriesFeed::fillSeen);
}

void SeriesFeed::add(TimeChart* chart, int series, int metric)
{
    m_lines.push_back({chart, series, metric});
    if (m_charts.contains(chart))
        return;
    m_charts.append(chart);
    chart->setAxis(&m_axis);
}

void SeriesFeed::remove(TimeChart* chart)
{
    m_charts.removeAll(chart);
    std::erase_if(m_lines, [chart](const Line& line) { return line.chart == chart; });
}

void SeriesFeed::setSource(Session* session, Handle handle, qint64 staleAfterMs)
{
    m_session = session;
    m_handle = handle;
    m_staleAfterMs = staleAfterMs;
    m_axis.follow();
    for (TimeChart* chart : std::as_const(m_charts))
        fill(chart);
}

void SeriesFeed::refresh(qint64 serverNowMs)
{
    if (!m_session)
        return;
    m_axis.setReading(m_session->isLive());
    m_axis.setNow(serverNowMs);
    qint64 firstMs = 0;
    for (const Line& line : m_lines) {
        const Series* series = m_session->series().find(m_handle, line.metric);
        if (series && !series->isEmpty())
            firstMs = firstMs > 0 ? std::min(firstMs, series->firstMs()) : series->firstMs();
    }
    m_axis.setFirst(firstMs);
    fillSeen();
}

void SeriesFeed::fillSeen()
{
    for (TimeChart* chart : std::as_const(m_charts)) {
        if (chart->isVisible())
            fill(chart);
    }
}

void SeriesFeed::fill(TimeChart* chart)
{
    if (!m_session)
        return;
    chart->setStaleAfter(m_staleAfterMs > 0 ? m_staleAfterMs : m_session->staleAfterMs());
    for (const Line& line : m_lines) {
        if (line.chart != chart)
            continue;
        const Series* series = m_session->series().find(m_handle, line.metric);
        chart->setPoints(line.series, series ? series->points(chart->fromMs(), chart->toMs(),
                                                              chart->wantedPoints())
                                             : std::vector<SeriesPoint>());
    }
}

} // namespace lk
