// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recordqueries.h"
#include "backend/session/past/recordedlife.h"
#include "backend/session/past/timeline.h"

class QIODevice;

namespace lk {

/// A metric over a span of time.
struct MetricSummary
{
    QByteArray metric;
    double smallest = 0;
    double largest = 0;
    double mean = 0;   ///< weighted by time, where the value is known
    double last = 0;   ///< at the end of the span
    qint64 stepMs = 0; ///< the resolution that is still kept; 0: as read
};

/// The history of one primitive.
struct HistoryReport
{
    RecordedId id;
    PrimitivePtr primitive;
    QString deployment; ///< its title
    qint64 fromMs = 0;
    qint64 toMs = 0;
    RecordedLife life;
    std::vector<MetricSummary> metrics;
};

HistoryReport historyReport(RecordQueries& queries, const RecordedId& id,
                            const PrimitivePtr& primitive, qint64 fromMs, qint64 toMs);

QString historyText(const HistoryReport& report);
QByteArray historyJson(const HistoryReport& report);
/// Returns a row for each event, then a row for each metric.
QString historyCsv(const HistoryReport& report);

/// Returns the event's id in the JSON: "hold-began".
QByteArray eventId(EventType type);

} // namespace lk
