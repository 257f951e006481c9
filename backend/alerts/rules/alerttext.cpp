// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/alerts/rules/alerttext.h"

#include "backend/alerts/rules/condition.h"
#include "backend/alerts/rules/ownmetric.h"
#include "backend/core/names/keyname.h"
#include "backend/libraries/api/layout.h"
#include "backend/text/time/duration.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>

namespace lk {

namespace {

struct AlertText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Alert)
};

// As the charts call it, where there is a chart.
QString metricTitle(const MetricCondition& condition)
{
    for (const Layout* layout : allLayouts()) {
        if (layout->kind() != condition.kind)
            continue;
        for (const Metric& metric : layout->metrics()) {
            if (condition.metric == metric.id)
                return title(metric);
        }
    }
    return title(*ownMetricOf(condition.kind, condition.metric)); // a rule has no other
}

QString numberText(const MetricCondition& condition, double value)
{
    if (isDuration(condition))
        return formatDuration(qint64(value));
    const bool whole = std::abs(value - std::round(value)) < 1e-9 || std::abs(value) >= 1000;
    return QLocale().toString(value, 'f', whole ? 0 : 1);
}

} // namespace

QString metricText(const MetricCondition& condition, double value)
{
    const QString name = metricTitle(condition);
    const QString number = numberText(condition, value);
    const QString bound = numberText(condition, condition.bound);
    if (condition.withinMs != 0)
        return value < 0 ? AlertText::tr("%1: down by %2 within %3")
                               .arg(name, numberText(condition, -value),
                                    formatDuration(condition.withinMs))
                         : AlertText::tr("%1: up by %2 within %3")
                               .arg(name, number, formatDuration(condition.withinMs));
    switch (condition.comparison) {
    case Comparison::Above:
        return AlertText::tr("%1: %2, above %3").arg(name, number, bound);
    case Comparison::AtLeast:
        return AlertText::tr("%1: %2, %3 or more").arg(name, number, bound);
    case Comparison::Below:
        return AlertText::tr("%1: %2, below %3").arg(name, number, bound);
    case Comparison::AtMost:
        break;
    }
    return AlertText::tr("%1: %2, %3 or less").arg(name, number, bound);
}

QString shownSubject(const Alert& alert)
{
    return displayName(alert.name);
}

QString titleOf(const Notification& notification)
{
    using Type = Notification::Type;
    if (notification.type == Type::Test)
        return AlertText::tr("Test notification from Lockkeeper");
    if (notification.type == Type::Summary)
        return AlertText::tr("Alerts: %1 fired, %2 resolved")
            .arg(notification.fired)
            .arg(notification.resolved);
    const Alert& alert = *notification.alerts.front();
    const QString what = displayName(alert.rule.left(alert.rule.indexOf(" @ ")));
    return notification.type == Type::Fired
               ? QStringLiteral("%1: %2").arg(shownSubject(alert), what)
               : AlertText::tr("Resolved: %1: %2").arg(shownSubject(alert), what);
}

QString bodyOf(const Notification& notification, int mostLines)
{
    QStringList lines;
    for (const AlertPtr& alert : notification.alerts) {
        if (lines.size() >= mostLines)
            break;
        lines << (notification.type == Notification::Type::Summary
                      ? QStringLiteral("%1: %2").arg(shownSubject(*alert), alert->text)
                      : alert->text);
    }
    if (notification.type == Notification::Type::Test)
        lines << AlertText::tr("If you can read this, notifications are delivered.");
    return lines.join(QLatin1Char('\n'));
}

} // namespace lk
