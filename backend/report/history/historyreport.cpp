// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/report/history/historyreport.h"

#include "backend/core/derived/agedstate.h"
#include "backend/core/json/jsontext.h"
#include "backend/core/names/keyname.h"
#include "backend/core/redactedname.h"
#include "backend/findings/findings.h"
#include "backend/libraries/api/layout.h"
#include "backend/session/recording/recordednumbers.h"
#include "backend/text/csv.h"
#include "backend/text/time/duration.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

struct HistoryReportText
{
    Q_DECLARE_TR_FUNCTIONS(lk::HistoryReport)
};

constexpr int mostPoints = 20'000;

std::optional<MetricSummary> summaryOf(const RecordedSeries& series)
{
    MetricSummary summary{series.metric, 0, 0, 0, 0, series.stepMs};
    double area = 0;
    double known = 0;
    bool any = false;
    for (size_t i = 0; i < series.points.size(); ++i) {
        const RecordedPoint& p = series.points[i];
        if (p.isGap())
            continue;
        summary.smallest = any ? std::min(summary.smallest, p.smallest) : p.smallest;
        summary.largest = any ? std::max(summary.largest, p.largest) : p.largest;
        summary.last = p.last;
        any = true;
        if (i + 1 < series.points.size()) {
            const double ms = double(series.points[i + 1].tMs - p.tMs);
            area += p.mean * ms;
            known += ms;
        }
    }
    summary.mean = known > 0 ? area / known : summary.last;
    return any ? std::optional(summary) : std::nullopt;
}

QString numberText(double value)
{
    return QLocale().toString(value, 'f', value == std::floor(value) ? 0 : 1);
}

// Durations are recorded in milliseconds.
QString valueText(double value, Metric::Unit unit)
{
    return unit == Metric::Unit::Milliseconds ? formatDuration(qint64(std::llround(value)))
                                              : numberText(value);
}

QString momentLine(qint64 ms)
{
    return QDateTime::fromMSecsSinceEpoch(ms).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
}

QByteArray array(const QByteArrayList& items)
{
    return '[' + items.join(',') + ']';
}

QByteArray holdJson(const RecordedHold& hold, const HoldEnd& end)
{
    JsonObject o;
    hold.owner.isEmpty() ? o.addNull("owner") : o.add("owner", exactName(hold.owner));
    o.add("from_ms", hold.fromMs);
    o.add("to_ms", hold.toMs);
    o.add("from_known", hold.fromKnown);
    o.add("end_known", !hold.open && hold.endKnown);
    o.add("open", hold.open);
    o.add("no_ttl", hold.noTtl);
    o.add("lease_end_ms", hold.leaseEndMs);
    o.add("renewals", qint64(hold.renewals));
    hold.open ? o.addNull("end") : o.add("end", holdEndId(end.way));
    end.action ? o.add("ended_by", end.action->who) : o.addNull("ended_by");
    end.action ? o.add("end_reason", end.action->text) : o.addNull("end_reason");
    end.next && !end.next->isEmpty() ? o.add("next_owner", exactName(*end.next))
                                     : o.addNull("next_owner");
    o.add("next_after_ms", end.next ? std::optional(end.nextAfterMs) : std::nullopt);
    return o.text();
}

QByteArray eventJson(const RecordedEvent& event)
{
    const auto text = [](JsonObject& o, const char* name, const QString& value) {
        value.isEmpty() ? o.addNull(name) : o.add(name, value);
    };
    JsonObject o;
    o.add("time_ms", event.tMs);
    o.add("type", eventId(event.type));
    event.code.isEmpty() ? o.addNull("code") : o.add("code", exactName(event.code));
    text(o, "who", event.who);
    text(o, "text", event.text);
    text(o, "detail", event.detail);
    event.ref.isEmpty() ? o.addNull("ref") : o.add("ref", exactName(event.ref));
    o.add("value", event.value);
    o.add("severity", severityId(event.severity));
    return o.text();
}

} // namespace

QByteArray eventId(EventType type)
{
    switch (type) {
    case EventType::PrimitiveSeen:
        return "seen";
    case EventType::PrimitiveGone:
        return "gone";
    case EventType::StuckBegan:
        return "stuck-began";
    case EventType::StuckEnded:
        return "stuck-ended";
    case EventType::FullBegan:
        return "full-began";
    case EventType::FullEnded:
        return "full-ended";
    case EventType::JobsMoved:
        return "jobs-moved";
    case EventType::PausedBegan:
        return "paused-began";
    case EventType::PausedEnded:
        return "paused-ended";
    case EventType::TokenEnded:
        return "token-ended";
    case EventType::HoldsOmitted:
        return "holds-not-listed";
    case EventType::FindingOpened:
        return "finding-opened";
    case EventType::FindingClosed:
        return "finding-closed";
    case EventType::Action:
        return "action";
    case EventType::AlertFired:
        return "alert-fired";
    case EventType::AlertResolved:
        return "alert-resolved";
    case EventType::AlertAcknowledged:
        return "alert-acknowledged";
    case EventType::AlertSilenced:
        return "alert-silenced";
    case EventType::SilenceEnded:
        return "silence-ended";
    case EventType::ServerLost:
        return "server-lost";
    case EventType::ServerBack:
        return "server-back";
    case EventType::ServerRestarted:
        return "server-restarted";
    case EventType::Failover:
        return "failover";
    case EventType::RoleChanged:
        return "role-changed";
    case EventType::ConfigChanged:
        return "config-changed";
    case EventType::NodeLost:
        return "node-lost";
    case EventType::NodeBack:
        return "node-back";
    }
    return "other"; // of a newer version
}

HistoryReport historyReport(RecordQueries& queries, const RecordedId& id,
                            const PrimitivePtr& primitive, qint64 fromMs, qint64 toMs)
{
    HistoryReport report;
    report.id = id;
    report.primitive = primitive;
    report.deployment = queries.span(id.deployment).deployment.title;
    report.fromMs = fromMs;
    report.toMs = toMs;
    report.life = readLife(queries, id, fromMs, toMs);
    for (const QByteArray& metric : queries.metrics(id, fromMs, toMs)) {
        if (const auto summary =
                summaryOf(queries.series(id, metric, fromMs, toMs, mostPoints, recordedNumber,
                                         driftOf(primitive->kind, metric))))
            report.metrics.push_back(*summary);
    }
    return report;
}

QString historyText(const HistoryReport& report)
{
    // Names are recorded with what is secret left out.
    const QString heading =
        HistoryReportText::tr("%1 (%2) on %3, %4 to %5")
            .arg(exactKey(report.primitive->kind, report.primitive->name(), Codes::Revealed),
                 QString::fromLatin1(report.id.primitive.layout), report.deployment,
                 momentLine(report.fromMs), momentLine(report.toMs));
    const Timeline life = lifeOf(report.life);
    QString text = lifeText(heading, life);
    if (life.empty())
        text += HistoryReportText::tr("  nothing happened") + QLatin1Char('\n');
    if (report.metrics.empty())
        return text;
    text += QLatin1Char('\n') + QStringLiteral("%1 %2 %3 %4 %5\n")
                                    .arg(HistoryReportText::tr("metric"), -24)
                                    .arg(HistoryReportText::tr("lowest"), 12)
                                    .arg(HistoryReportText::tr("mean"), 12)
                                    .arg(HistoryReportText::tr("highest"), 12)
                                    .arg(HistoryReportText::tr("last"), 12);
    const auto known = metricsOf(*report.primitive);
    for (const MetricSummary& metric : report.metrics) {
        const auto of = std::ranges::find(known, metric.metric, &Metric::id);
        const Metric::Unit unit = of == known.end() ? Metric::Unit::Count : of->unit;
        text += QStringLiteral("%1 %2 %3 %4 %5\n")
                    .arg(displayName(metric.metric), -24)
                    .arg(valueText(metric.smallest, unit), 12)
                    .arg(valueText(metric.mean, unit), 12)
                    .arg(valueText(metric.largest, unit), 12)
                    .arg(valueText(metric.last, unit), 12);
    }
    return text;
}

QString historyCsv(const HistoryReport& report)
{
    QString out = lifeCsvHead() + QStringLiteral(",lowest,mean,highest,last\n");
    for (const TimelineEntry& line : lifeOf(report.life))
        out += lifeCsvRow(line) + QStringLiteral(",,,,\n");
    for (const MetricSummary& metric : report.metrics) {
        out += QStringList{csvTime(report.fromMs), csvTime(report.toMs), QStringLiteral("metric"),
                           quotedCsvCell({}), quotedCsvCell(displayName(metric.metric))}
                   .join(QLatin1Char(','));
        for (const double value : {metric.smallest, metric.mean, metric.largest, metric.last})
            out += QLatin1Char(',') + QString::number(value, 'g', 15);
        out += QLatin1Char('\n');
    }
    return out;
}

QByteArray historyJson(const HistoryReport& report)
{
    JsonObject o;
    o.add("schema", qint64(1));
    o.add("name", exactKey(report.primitive->kind, report.primitive->name(), Codes::Revealed));
    o.add("kind", kindId(report.primitive->kind));
    o.add("layout", report.id.primitive.layout);
    o.add("deployment", report.deployment);
    o.add("from_ms", report.fromMs);
    o.add("to_ms", report.toMs);
    QByteArrayList holds;
    for (size_t i = 0; i < report.life.holds.size(); ++i)
        holds << holdJson(report.life.holds[i], report.life.ends[i]);
    o.addJson("holds", array(holds));
    QByteArrayList events;
    for (const RecordedEvent& event : report.life.events)
        events << eventJson(event);
    o.addJson("events", array(events));
    QByteArrayList gaps;
    for (const RecordedGap& gap : report.life.gaps) {
        JsonObject g;
        g.add("from_ms", gap.fromMs);
        g.add("to_ms", gap.toMs);
        g.add("reason", gapReasonId(gap.reason));
        gaps << g.text();
    }
    o.addJson("not_recorded", array(gaps));
    QByteArrayList metrics;
    for (const MetricSummary& metric : report.metrics) {
        JsonObject m;
        m.add("metric", exactName(metric.metric));
        m.add("lowest", metric.smallest);
        m.add("mean", metric.mean);
        m.add("highest", metric.largest);
        m.add("last", metric.last);
        m.add("step_ms", metric.stepMs);
        metrics << m.text();
    }
    o.addJson("metrics", array(metrics));
    return o.text() + '\n';
}

} // namespace lk
