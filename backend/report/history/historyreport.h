// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recordqueries.h"
#include "backend/session/past/recordedlife.h"
#include "backend/session/past/timeline.h"

class QIODevice;

namespace lk {

/// What a number was over a stretch of time.
struct MetricSummary
{
    QByteArray metric;
    double smallest = 0;
    double largest = 0;
    double mean = 0;   ///< by time, as far as it was known
    double last = 0;   ///< at the end
    qint64 stepMs = 0; ///< how fine it is still known; 0: as read
};

/// All that is told of one primitive.
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
/// What happened, and after it a row for each metric.
QString historyCsv(const HistoryReport& report);

/// As in the JSON: "hold-began".
QByteArray eventId(EventType type);

} // namespace lk
