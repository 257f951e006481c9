// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/alerts/rules/condition.h"

#include "backend/alerts/rules/ownmetric.h"
#include "backend/findings/findings.h"
#include "backend/libraries/api/layout.h"
#include "backend/text/proposal.h"
#include "backend/text/time/duration.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

struct ConditionText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Alert)
};

constexpr std::array<std::pair<const char*, Comparison>, 4> comparisons{{
    {">", Comparison::Above},
    {">=", Comparison::AtLeast},
    {"<", Comparison::Below},
    {"<=", Comparison::AtMost},
}};

const Metric* layoutMetric(Kind kind, const QByteArray& id)
{
    for (const Layout* layout : allLayouts()) {
        if (layout->kind() != kind)
            continue;
        for (const Metric& metric : layout->metrics()) {
            if (id == metric.id)
                return &metric;
        }
    }
    return nullptr;
}

std::optional<double> numberOf(const QString& text, bool duration)
{
    bool isNumber = false;
    const double number = text.toDouble(&isNumber);
    if (isNumber && std::isfinite(number))
        return number;
    if (!duration)
        return std::nullopt;
    const Result<qint64> ms = parseDuration(text);
    return ms ? std::optional(double(*ms)) : std::nullopt;
}

std::string_view viewOf(const QByteArray& text)
{
    return {text.constData(), size_t(text.size())};
}

QStringList codes()
{
    QStringList all;
    for (const KnownFinding& known : knownFindings())
        all << QString::fromLatin1(known.code);
    return all;
}

tl::expected<AlertCondition, QString> parseMetric(const QRegularExpressionMatch& parts)
{
    MetricCondition condition;
    const QByteArray kind = parts.captured(1).toUtf8();
    if (kind != "server") {
        const auto known = std::find_if(allKinds.begin(), allKinds.end(),
                                        [&](Kind k) { return kindId(k) == kind; });
        if (known == allKinds.end()) {
            QStringList kinds{QStringLiteral("server")};
            for (const Kind k : allKinds)
                kinds << QString::fromLatin1(kindId(k));
            return tl::unexpected(
                ConditionText::tr("unknown kind %1; %2")
                    .arg(quotedWord(viewOf(kind)), proposal(viewOf(kind), kinds)));
        }
        condition.kind = *known;
    }
    condition.metric = parts.captured(2).toUtf8();
    const QStringList metrics = alertMetrics(condition.kind);
    if (!metrics.contains(parts.captured(2)))
        return tl::unexpected(ConditionText::tr("unknown metric %1; %2")
                                  .arg(quotedWord(viewOf(condition.metric)),
                                       proposal(viewOf(condition.metric), metrics)));
    for (const auto& [text, comparison] : comparisons) {
        if (parts.captured(3) == QLatin1String(text))
            condition.comparison = comparison;
    }
    const std::optional<double> bound = numberOf(parts.captured(4), isDuration(condition));
    if (!bound)
        return tl::unexpected(
            isDuration(condition)
                ? ConditionText::tr("%1 is compared with a duration, such as 30s or 10m")
                      .arg(quotedWord(viewOf(condition.metric)))
                : ConditionText::tr("%1 is compared with a number, such as 1000")
                      .arg(quotedWord(viewOf(condition.metric))));
    condition.bound = *bound;
    if (const QString within = parts.captured(5); !within.isEmpty()) {
        const Result<qint64> ms = parseDuration(within);
        if (!ms)
            return tl::unexpected(ms.error().detail);
        condition.withinMs = *ms;
    }
    return condition;
}

MetricReading unless(bool unknown, std::optional<double> value)
{
    return {unknown ? std::nullopt : value, !unknown};
}

} // namespace

tl::expected<AlertCondition, QString> parseCondition(const QByteArray& when)
{
    static const QRegularExpression metric(QStringLiteral(
        "^\\s*([a-z]+)\\.([A-Za-z0-9_-]+)\\s*(>=|<=|>|<)\\s*(\\S+)(?:\\s+in\\s+(\\S+))?\\s*$"));
    const QString text = QString::fromUtf8(when);
    if (const auto parts = metric.match(text); parts.hasMatch())
        return parseMetric(parts);
    const QByteArray code = when.trimmed();
    const QStringList known = codes();
    if (known.contains(QString::fromUtf8(code)))
        return FindingCondition{code};
    if (code.contains('.') || code.contains('>') || code.contains('<'))
        return tl::unexpected(ConditionText::tr("a metric is compared as \"queue.ready > 1000\" or "
                                                "\"queue.dead > 0 in 10m\""));
    return tl::unexpected(ConditionText::tr("unknown finding %1; %2")
                              .arg(quotedWord(viewOf(code)), proposal(viewOf(code), known)));
}

QStringList alertMetrics(std::optional<Kind> kind)
{
    QStringList names;
    for (const Layout* layout : allLayouts()) {
        if (layout->kind() != kind)
            continue;
        for (const Metric& metric : layout->metrics()) {
            if (const QString name = QLatin1String(metric.id); !names.contains(name))
                names << name;
        }
    }
    for (const OwnMetricName& own : ownMetrics()) {
        if (own.kind == kind && !names.contains(QLatin1String(own.id)))
            names << QLatin1String(own.id);
    }
    return names;
}

bool isDuration(const MetricCondition& condition)
{
    if (!condition.kind)
        return false;
    for (const OwnMetricName& own : ownMetrics()) {
        if (own.kind == *condition.kind && condition.metric == own.id)
            return own.isDuration;
    }
    const Metric* metric = layoutMetric(*condition.kind, condition.metric);
    return metric && metric->unit == Metric::Unit::Milliseconds;
}

MetricReading readMetric(const State& state, const QByteArray& metric, qint64 nowMs,
                         qint64 usualHoldMs)
{
    const bool unknown = state.problem.has_value();
    for (const Metric& m : metricsOf(*state.primitive)) {
        if (metric != m.id)
            continue;
        const std::optional<double> value = m.value(state);
        return {value, value || (!unknown && (m.emptyIsNone || !state.present))};
    }
    const std::optional<OwnMetric> own = ownMetricOf(state.kind(), metric);
    if (const auto* lock = state.as<LockState>()) {
        const bool held =
            (lock->phase == LockState::Phase::Held || lock->phase == LockState::Phase::NoTtl) &&
            state.observed.sinceMs > 0;
        const double ms = double(nowMs - state.observed.sinceMs);
        if (own == OwnMetric::Held)
            return unless(unknown, held ? std::optional(ms) : std::nullopt);
        if (own == OwnMetric::HeldRatio)
            return unless(unknown || (held && usualHoldMs <= 0),
                          held ? std::optional(ms / double(std::max<qint64>(1, usualHoldMs)))
                               : std::nullopt);
    }
    if (const auto* queue = state.as<QueueState>(); queue && own == OwnMetric::Stuck)
        return unless(unknown, double(queue->stuck));
    if (const auto* limiter = state.as<LimiterState>(); limiter && own == OwnMetric::UsedRatio) {
        return unless(unknown,
                      limiter->occupancy && limiter->limit && *limiter->limit > 0
                          ? std::optional(double(*limiter->occupancy) / double(*limiter->limit))
                          : std::nullopt);
    }
    return {std::nullopt, !unknown};
}

MetricReading readMetric(const ServerNumbers& numbers, const QByteArray& metric)
{
    const std::optional<OwnMetric> own = ownMetricOf(std::nullopt, metric);
    if (own == OwnMetric::LostNodes)
        return {double(numbers.lostNodes), true};
    const auto& value =
        own == OwnMetric::UsedMemory ? numbers.usedMemory : numbers.commandsPerSecond;
    return {value, value.has_value()};
}

qint64 reachedAtMs(const MetricCondition& condition, qint64 heldSinceMs, qint64 usualHoldMs)
{
    const bool rises =
        condition.comparison == Comparison::Above || condition.comparison == Comparison::AtLeast;
    if (condition.kind != Kind::Lock || heldSinceMs <= 0 || !rises)
        return 0;
    const std::optional<OwnMetric> own = ownMetricOf(condition.kind, condition.metric);
    if (own == OwnMetric::Held)
        return heldSinceMs + qint64(condition.bound) + 1;
    if (own == OwnMetric::HeldRatio && usualHoldMs > 0)
        return heldSinceMs + qint64(condition.bound * double(usualHoldMs)) + 1;
    return 0;
}

bool holds(const MetricCondition& condition, double value)
{
    switch (condition.comparison) {
    case Comparison::Above:
        return value > condition.bound;
    case Comparison::AtLeast:
        return value >= condition.bound;
    case Comparison::Below:
        return value < condition.bound;
    case Comparison::AtMost:
        break;
    }
    return value <= condition.bound;
}

bool isClear(const MetricCondition& condition, double value, std::optional<double> resolve)
{
    if (!resolve)
        return !holds(condition, value);
    const bool rises =
        condition.comparison == Comparison::Above || condition.comparison == Comparison::AtLeast;
    return rises ? value <= *resolve : value >= *resolve;
}

} // namespace lk
