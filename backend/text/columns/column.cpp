// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/columns/column.h"

#include "backend/text/columns/kindcolumns.h"

#include <QCoreApplication>

#include <algorithm>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::Column)
};

} // namespace

QString title(const Column& column)
{
    return Text::tr(column.source);
}

QString title(const Metric& metric)
{
    return Text::tr(metric.source);
}

QString title(const MetricChart& chart)
{
    return Text::tr(chart.source);
}

QString lineLabel(const Metric& metric)
{
    return metric.line ? Text::tr(metric.line) : QString();
}

std::span<const Column> columns(Kind kind)
{
    switch (kind) {
    case Kind::Limiter:
        return limiterColumns();
    case Kind::Lock:
        return lockColumns();
    case Kind::Queue:
        return queueColumns();
    case Kind::Token:
        return tokenColumns();
    case Kind::Pattern:
        break;
    }
    return patternColumns();
}

std::span<const Metric> metrics(Kind kind)
{
    switch (kind) {
    case Kind::Limiter:
        return limiterMetrics();
    case Kind::Lock:
        return lockMetrics();
    case Kind::Queue:
        return queueMetrics();
    case Kind::Token:
        return tokenMetrics();
    case Kind::Pattern:
        break;
    }
    return patternMetrics();
}

std::vector<Column> columnsWith(Kind kind, std::initializer_list<Column> more)
{
    const auto all = columns(kind);
    std::vector<Column> merged(all.begin(), all.end());
    for (const Column& column : more) {
        const auto same = std::find_if(merged.begin(), merged.end(), [&](const Column& c) {
            return qstrcmp(c.id, column.id) == 0;
        });
        if (same != merged.end())
            *same = column;
        else
            merged.insert(
                std::find_if(merged.begin(), merged.end(),
                             [](const Column& c) { return qstrcmp(c.id, "layout") == 0; }),
                column);
    }
    return merged;
}

std::vector<Metric> metricsWith(Kind kind, std::initializer_list<Metric> more)
{
    const auto all = metrics(kind);
    std::vector<Metric> merged(all.begin(), all.end());
    for (const Metric& metric : more) {
        const auto same = std::find_if(merged.begin(), merged.end(), [&](const Metric& m) {
            return qstrcmp(m.id, metric.id) == 0;
        });
        if (same != merged.end())
            *same = metric;
        else
            merged.push_back(metric);
    }
    return merged;
}

int expiryColumn(Kind kind)
{
    const auto all = columns(kind);
    const auto it = std::find_if(all.begin(), all.end(), [](const Column& c) { return c.expiry; });
    return it == all.end() ? -1 : int(it - all.begin());
}

int metricIndex(Kind kind, QByteArrayView id)
{
    const auto all = metrics(kind);
    const auto it = std::find_if(all.begin(), all.end(),
                                 [id](const Metric& metric) { return id == metric.id; });
    Q_ASSERT(it != all.end());
    return int(it - all.begin());
}

} // namespace lk
