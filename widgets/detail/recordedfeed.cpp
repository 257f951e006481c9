// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/recordedfeed.h"

#include "backend/session/sessionhistory.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lk {

namespace {

constexpr int mostMarks = 300;
constexpr double finerFrom = 0.6;   // of the span that was loaded for: then there is more to see
constexpr double coarserFrom = 1.8; // there are more points than pixels

const std::vector<SeriesPoint> none;

} // namespace

RecordedFeed::RecordedFeed(TimeAxis& axis, QObject* parent)
    : QObject(parent)
    , m_axis(axis)
{}

void RecordedFeed::setSource(Session* session, const PrimitiveId& id)
{
    if (m_session == session && m_id == id)
        return;
    // The past of a primitive is its own, whichever session shows it.
    const bool same = m_session && session && m_session->live() == session->live() && m_id == id;
    m_session = session;
    m_id = id;
    if (!same)
        forget();
}

void RecordedFeed::setMetrics(const QByteArrayList& metrics)
{
    if (std::exchange(m_metrics, metrics) != metrics)
        forget();
}

void RecordedFeed::forget()
{
    m_asked.clear();
    m_holdsTicket = m_marksTicket = 0;
    m_open = 0;
    m_loaded = m_marked = {};
    m_beforeToMs = 0;
    m_points.clear();
    m_before.clear();
    m_holds.clear();
    m_axis.setMarks({});
}

const std::vector<SeriesPoint>& RecordedFeed::points(const QByteArray& metric) const
{
    const auto it = m_points.constFind(metric);
    return it == m_points.cend() ? none : *it;
}

const std::vector<SeriesPoint>& RecordedFeed::before(const QByteArray& metric) const
{
    const auto it = m_before.constFind(metric);
    return it == m_before.cend() ? none : *it;
}

void RecordedFeed::update(qint64 memoryFromMs, int points)
{
    SessionHistory* history = m_session ? m_session->live()->history() : nullptr;
    if (!history || history->firstMs() <= 0 || m_id == PrimitiveId())
        return;
    if (m_history != history)
        connectHistory();
    updateMarks(*history);
    const TimeView& view = m_axis.view();
    m_axis.setComparable(history->firstMs() < view.nowMs() - compareSpans[0]);
    // There is no more than that to come, whatever is missing until memory begins.
    const qint64 lastMs =
        memoryFromMs > 0 ? std::min(memoryFromMs, history->lastMs()) : history->lastMs();
    const qint64 fromMs = std::max(view.fromMs(), history->firstMs());
    const qint64 toMs = std::min(view.toMs(), lastMs);
    const double scale = m_loaded.spanMs > 0 ? double(view.spanMs()) / double(m_loaded.spanMs) : 0;
    // Loads ahead, so that panning does not reach a span that is still empty.
    const qint64 aheadMs = view.spanMs() / 2;
    const bool ahead = m_loaded.fromMs <= std::max(fromMs - aheadMs, history->firstMs()) &&
                       (m_loaded.toMs >= toMs + aheadMs || lastMs - m_loaded.toMs < aheadMs);
    const bool there = m_loaded.spanMs > 0 && ahead && m_loaded.fromMs <= fromMs &&
                       m_loaded.toMs >= toMs && scale > finerFrom && scale < coarserFrom &&
                       isComparedLoaded();
    if (there || m_open > 0 || (fromMs >= toMs && m_axis.compare() == 0))
        return;
    ask(*history,
        {view.fromMs() - view.spanMs(), view.toMs() + view.spanMs(), view.spanMs(),
         m_axis.compare()},
        3 * points);
}

// It is all in the file, while the axis moves on with the present.
bool RecordedFeed::isComparedLoaded() const
{
    const TimeView& view = m_axis.view();
    return m_loaded.compareMs == m_axis.compare() &&
           (m_loaded.compareMs == 0 ||
            (m_loaded.fromMs <= view.fromMs() && m_beforeToMs >= view.toMs() + view.spanMs() / 4));
}

void RecordedFeed::ask(SessionHistory& history, const Stretch& stretch, int points)
{
    m_asking = stretch;
    for (const QByteArray& metric : std::as_const(m_metrics)) {
        m_asked.insert(history.askSeries(m_id, metric, stretch.fromMs, stretch.toMs, points),
                       {metric, false});
        if (stretch.compareMs > 0)
            m_asked.insert(history.askSeries(m_id, metric, stretch.fromMs - stretch.compareMs,
                                             stretch.toMs - stretch.compareMs, points),
                           {metric, true});
    }
    m_holdsTicket = history.askHolds(m_id, stretch.fromMs, stretch.toMs);
    m_open = int(m_asked.size()) + 1;
}

// Marks are needed even if all numbers are in memory. While live, present events are among them.
void RecordedFeed::updateMarks(SessionHistory& history)
{
    const TimeView& view = m_axis.view();
    const qint64 toMs = std::min(view.toMs(), history.lastMs());
    if (m_marksTicket > 0 || (m_marked.fromMs <= view.fromMs() && m_marked.toMs >= toMs))
        return;
    m_marked = {view.fromMs() - view.spanMs(),
                std::min(view.toMs() + view.spanMs(), history.lastMs()), view.spanMs(), 0};
    m_marksTicket = history.askMarks(m_id, m_marked.fromMs, m_marked.toMs, mostMarks);
}

void RecordedFeed::connectHistory()
{
    if (m_history)
        m_history->disconnect(this);
    m_history = m_session->live()->history();
    forget();
    connect(m_history, &SessionHistory::seriesRead, this,
            [this](quint64 ticket, std::vector<SeriesPoint> points) {
                const auto it = m_asked.constFind(ticket);
                if (it == m_asked.cend())
                    return; // of another primitive, or another chart's
                if (it->before) {
                    for (SeriesPoint& point : points)
                        point.tMs += m_asking.compareMs;
                }
                (it->before ? m_before : m_points)[it->metric] = std::move(points);
                m_asked.erase(it);
                answered();
            });
    connect(m_history, &SessionHistory::holdsRead, this,
            [this](quint64 ticket, const std::vector<Hold>& holds) {
                if (ticket != m_holdsTicket)
                    return;
                m_holds = holds;
                answered();
            });
    connect(m_history, &SessionHistory::marksRead, this,
            [this](quint64 ticket, const std::vector<TimeMark>& marks) {
                if (ticket != m_marksTicket)
                    return;
                m_marksTicket = 0;
                m_axis.setMarks(marks);
            });
}

// Replaces a span as a whole, so that no chart is ahead of another.
void RecordedFeed::answered()
{
    if (--m_open > 0)
        return;
    m_open = 0;
    m_loaded = m_asking;
    m_beforeToMs = m_asking.toMs;
    if (m_history) // later data is still being recorded
        m_loaded.toMs = std::min(m_loaded.toMs, m_history->lastMs());
    if (m_loaded.compareMs == 0)
        m_before.clear();
    emit loaded();
}

std::vector<SeriesPoint> mergedPoints(const std::vector<SeriesPoint>& recorded,
                                      const std::vector<SeriesPoint>& memory, qint64 knownToMs)
{
    if (recorded.empty() || memory.empty())
        return recorded.empty() ? memory : recorded;
    std::vector<SeriesPoint> all;
    for (const SeriesPoint& point : recorded) {
        if (point.tMs < memory.front().tMs)
            all.push_back(point);
    }
    for (size_t i = 0; i < memory.size(); ++i) {
        const SeriesPoint& point = memory[i];
        const bool isHole = std::isnan(point.value) && !isAbsent(point.value);
        auto next = std::ranges::upper_bound(recorded, point.tMs, {}, &SeriesPoint::tMs);
        if (!isHole || next == recorded.begin() || point.tMs >= knownToMs) {
            all.push_back(point);
            continue;
        }
        // A recorded value holds until the next one.
        const qint64 untilMs =
            i + 1 < memory.size() ? memory[i + 1].tMs : std::numeric_limits<qint64>::max();
        all.push_back({point.tMs, (next - 1)->value});
        for (; next != recorded.end() && next->tMs < untilMs; ++next)
            all.push_back(*next);
        if (knownToMs < untilMs)
            all.push_back({std::max(knownToMs, all.back().tMs + 1), point.value});
    }
    return all;
}

qint64 lastHoleEnd(const std::vector<SeriesPoint>& memory, qint64 nowMs)
{
    for (size_t i = memory.size(); i-- > 0;) {
        if (std::isnan(memory[i].value) && !isAbsent(memory[i].value))
            return i + 1 < memory.size() ? memory[i + 1].tMs : nowMs;
    }
    return 0;
}

std::vector<SeriesPoint> pointsIn(const std::vector<SeriesPoint>& points, qint64 fromMs,
                                  qint64 toMs)
{
    auto first = std::ranges::upper_bound(points, fromMs, {}, &SeriesPoint::tMs);
    if (first != points.begin())
        --first;
    auto last = std::ranges::upper_bound(first, points.end(), toMs, {}, &SeriesPoint::tMs);
    if (last != points.end())
        ++last;
    return {first, last};
}

} // namespace lk
