// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/chartdata.h"

#include "backend/text/csv.h"
#include "widgets/charts/chartformat.h"

#include <QCoreApplication>
#include <QDateTime>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace lk {

namespace {

struct ChartDataText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Chart)
};

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

std::vector<SeriesPoint>::const_iterator after(const std::vector<SeriesPoint>& points, qint64 tMs)
{
    return std::upper_bound(points.begin(), points.end(), tMs,
                            [](qint64 t, const SeriesPoint& p) { return t < p.tMs; });
}

} // namespace

bool ChartData::isEmpty() const
{
    return std::ranges::all_of(lines, [](const Line& line) { return line.points.empty(); });
}

qint64 ChartData::firstMs() const
{
    qint64 first = 0;
    for (const Line& line : lines) {
        if (!line.points.empty() && (first == 0 || line.points.front().tMs < first))
            first = line.points.front().tMs;
    }
    return first;
}

std::vector<SeriesPoint> ChartData::ended(const Line& line, qint64 nowMs) const
{
    std::vector<SeriesPoint> points = line.points;
    if (points.empty() || points.back().tMs >= nowMs || std::isnan(points.back().value))
        return points;
    const SeriesPoint last = points.back();
    if (nowMs - last.tMs <= staleAfterMs)
        points.push_back({nowMs, last.value});
    else
        points.push_back({last.tMs + 1, unknown});
    return points;
}

double ChartData::valueOf(const Line& line, qint64 tMs, qint64 nowMs) const
{
    const bool beyond = !line.points.empty() && tMs > line.points.back().tMs;
    if (beyond && nowMs - line.points.back().tMs > staleAfterMs &&
        !isAbsent(line.points.back().value))
        return unknown;
    return valueAt(line.points, tMs);
}

QString ChartData::textAt(const Line& line, qint64 tMs, qint64 nowMs) const
{
    return textOf(line, valueOf(line, tMs, nowMs));
}

QString ChartData::textOf(const Line& line, double value) const
{
    return isAbsent(value) && !line.absent.isEmpty() ? line.absent : valueText(value, unit);
}

std::vector<ChartData::Stretch> ChartData::gaps(qint64 nowMs) const
{
    return stretches(nowMs, false);
}

std::vector<ChartData::Stretch> ChartData::absences(qint64 nowMs) const
{
    return stretches(nowMs, true);
}

std::vector<ChartData::Stretch> ChartData::stretches(qint64 nowMs, bool absent) const
{
    std::vector<Stretch> found;
    if (lines.empty())
        return found;
    bool inside = false;
    for (const SeriesPoint& point : ended(lines.front(), nowMs)) {
        const bool missing = std::isnan(point.value) && isAbsent(point.value) == absent;
        if (missing && !inside)
            found.push_back({point.tMs, std::max(nowMs, point.tMs)});
        if (!missing && inside)
            found.back().toMs = point.tMs;
        inside = missing;
    }
    return found;
}

double ChartData::largest(qint64 fromMs, qint64 toMs) const
{
    double top = limit.value_or(0);
    const auto look = [&](const std::vector<SeriesPoint>& points) {
        auto point = after(points, fromMs);
        if (point != points.begin())
            --point; // it still shows at the left edge
        for (; point != points.end() && point->tMs <= toMs; ++point) {
            if (point->value > top)
                top = point->value;
        }
    };
    for (const Line& line : lines) {
        look(line.points);
        look(line.before);
    }
    return top;
}

QString ChartData::csv() const
{
    QString out = ChartDataText::tr("time_utc,time_local");
    std::set<qint64> moments;
    for (const Line& line : lines) {
        const QString name = line.label.isEmpty() ? title : line.label;
        out += QLatin1Char(',') + csvCell(name);
        for (const SeriesPoint& point : line.points)
            moments.insert(point.tMs);
    }
    out += QLatin1Char('\n');
    for (const qint64 tMs : moments) {
        const QDateTime local = QDateTime::fromMSecsSinceEpoch(tMs);
        out += utcText(tMs) + QLatin1Char(',') +
               local.toOffsetFromUtc(local.offsetFromUtc()).toString(Qt::ISODateWithMs);
        for (const Line& line : lines) {
            const double value = valueAt(line.points, tMs);
            out += QLatin1Char(',');
            if (!std::isnan(value))
                out += numberCell(value);
        }
        out += QLatin1Char('\n');
    }
    return out;
}

double valueAt(const std::vector<SeriesPoint>& points, qint64 tMs)
{
    const auto next = after(points, tMs);
    return next == points.begin() ? unknown : (next - 1)->value;
}

} // namespace lk
