// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/seriesfeed.h"

#include "backend/libraries/api/layout.h"
#include "backend/session/recording/recordednumbers.h"
#include "backend/session/session.h"
#include "backend/session/sessionhistory.h"
#include "backend/session/sessionseries.h"
#include "backend/session/sessionstates.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lk {

namespace {

std::vector<SeriesPoint> scaled(std::vector<SeriesPoint> points, double unit)
{
    for (SeriesPoint& point : points) {
        if (!std::isnan(point.value)) // which kind of none it is stays
            point.value /= unit;
    }
    return points;
}

} // namespace

SeriesFeed::SeriesFeed(QObject* parent, double futureShare)
    : QObject(parent)
    , m_axis(chartSpans().front(), futureShare, this)
    , m_recorded(m_axis, this)
{
    connect(&m_axis, &TimeAxis::rangeChanged, this, [this] {
        updateRecorded();
        fillSeen();
    });
    connect(&m_axis, &TimeAxis::compareChanged, this, &SeriesFeed::updateRecorded);
    connect(&m_axis, &TimeAxis::momentChosen, this, [this](qint64 tMs) {
        m_chosen = true;
        if (m_session && m_session->isPast())
            m_axis.hold();
        emit momentChosen(tMs);
    });
    connect(&m_recorded, &RecordedFeed::loaded, this, [this] {
        fillSeen();
        emit recordedHoldsChanged();
        updateRecorded(); // it may have been moved on meanwhile
    });
}

void SeriesFeed::add(TimeChart* chart, int series, int metric)
{
    m_lines.push_back({chart, series, metric});
    m_primitive.reset(); // its metrics are asked for anew
    if (m_charts.contains(chart))
        return;
    m_charts.append(chart);
    chart->setAxis(&m_axis);
}

void SeriesFeed::add(TimeChart* chart, int series, int metric, const TotalRecorded& total)
{
    add(chart, series, metric);
    m_lines.back().total = total;
}

void SeriesFeed::remove(TimeChart* chart)
{
    m_charts.removeAll(chart);
    std::erase_if(m_lines, [chart](const Line& line) { return line.chart == chart; });
}

void SeriesFeed::setSource(Session* session, Handle handle, qint64 staleAfterMs)
{
    Session* live = session ? session->live() : nullptr;
    const bool same = live && m_live == live && m_handle == handle;
    m_session = session;
    m_live = live;
    m_handle = handle;
    m_staleAfterMs = staleAfterMs;
    if (!same)
        m_primitive.reset();
    const bool past = session && session->isPast();
    m_axis.setPast(past ? live->serverNowMs() : 0);
    // The first query is for the moment, not for the time that was on the screen before.
    if (past && session->serverNowMs() > 0)
        m_axis.setNow(session->serverNowMs());
    if (same && past && (m_chosen || !m_axis.view().following()))
        m_axis.hold();
    else
        m_axis.follow();
    m_chosen = false;
    updateRecorded();
    for (TimeChart* chart : std::as_const(m_charts))
        fill(chart);
}

const Series* SeriesFeed::inMemory(int metric) const
{
    const Series* series = m_session ? m_session->series().store().find(m_handle, metric) : nullptr;
    return series && !series->isEmpty() ? series : nullptr;
}

std::vector<Hold> SeriesFeed::holds() const
{
    return mergedHolds(m_recorded.holds(), m_session ? m_session->series().holds().holds(m_handle)
                                                     : std::vector<Hold>());
}

// Returns the primitive that the numbers belong to. Null until it is known.
PrimitivePtr SeriesFeed::source() const
{
    if (!m_lines.empty() && !m_lines.front().total.id.isEmpty())
        return deploymentTotals();
    const StatePtr state = m_session->states().at(m_handle);
    return state ? state->primitive : m_primitive;
}

QByteArray SeriesFeed::recordedId(const Line& line) const
{
    if (!line.total.id.isEmpty() || !m_primitive)
        return line.total.id;
    const auto all = metricsOf(*m_primitive);
    return size_t(line.metric) < all.size() ? QByteArray(all[size_t(line.metric)].id)
                                            : QByteArray();
}

void SeriesFeed::refresh(qint64 serverNowMs)
{
    if (!m_session || serverNowMs <= 0)
        return; // the past has not reported its moment yet
    if (m_session->isPast())
        m_axis.setPast(m_session->live()->serverNowMs());
    m_axis.setReading(m_session->isLive());
    m_axis.setNow(serverNowMs);
    const SessionHistory* history = m_session->live()->history();
    qint64 firstMs = history && m_primitive ? history->firstMs() : 0;
    for (const Line& line : m_lines) {
        if (const Series* series = inMemory(line.metric))
            firstMs = firstMs > 0 ? std::min(firstMs, series->firstMs()) : series->firstMs();
    }
    m_axis.setFirst(firstMs);
    updateRecorded();
    fillSeen();
}

// The recording must reach the latest beginning of the series in memory, so that no chart has a
// hole.
void SeriesFeed::updateRecorded()
{
    if (!m_session || m_charts.isEmpty())
        return;
    if (PrimitivePtr primitive = source(); primitive != m_primitive) {
        m_primitive = std::move(primitive);
        QByteArrayList metrics;
        for (const Line& line : m_lines)
            metrics << recordedId(line);
        metrics.removeAll(QByteArray());
        m_recorded.setSource(m_session, m_primitive->id);
        m_recorded.setMetrics(metrics);
    }
    if (!m_primitive) // nothing is known of a moment that is not shown yet
        return m_axis.setLoading(m_session->isPast());
    qint64 memoryFromMs = 0;
    bool all = true;
    for (const Line& line : m_lines) {
        const Series* series = inMemory(line.metric);
        all = all && series;
        if (series)
            memoryFromMs = std::max({memoryFromMs, series->firstMs(), lastHoleOf(*series)});
    }
    m_recorded.setSource(m_session, m_primitive->id);
    m_recorded.update(all ? memoryFromMs : 0, m_charts.front()->wantedPoints());
    m_axis.setLoading(m_recorded.isLoading());
}

// Returns the end of the last shown span in which the primitive was not on the screen: the
// recording may cover it. 0 if there is none.
qint64 SeriesFeed::lastHoleOf(const Series& series) const
{
    const TimeView& view = m_axis.view();
    return lastHoleEnd(series.points(view.fromMs(), view.toMs(), m_charts.front()->wantedPoints()),
                       view.nowMs());
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
    // A recorded value holds until the next one.
    chart->setStaleAfter(m_session->isPast()  ? anySilence
                         : m_staleAfterMs > 0 ? m_staleAfterMs
                                              : m_session->series().staleAfterMs());
    for (const Line& line : m_lines) {
        if (line.chart != chart)
            continue;
        const Series* series = inMemory(line.metric);
        const QByteArray id = recordedId(line);
        const std::vector<SeriesPoint> recorded = scaled(
            pointsIn(m_recorded.points(id), chart->fromMs(), chart->toMs()), line.total.unit);
        const std::vector<SeriesPoint> memory =
            series ? series->points(chart->fromMs(), chart->toMs(), chart->wantedPoints())
                   : std::vector<SeriesPoint>();
        chart->setPoints(line.series, mergedPoints(recorded, memory, m_recorded.knownToMs()));
        if (m_axis.compare() > 0)
            chart->setBefore(line.series,
                             scaled(pointsIn(m_recorded.before(id), chart->fromMs(), chart->toMs()),
                                    line.total.unit));
    }
}

} // namespace lk
