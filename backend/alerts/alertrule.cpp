// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/alerts/alertrule.h"

#include <algorithm>

namespace lk {

namespace {

using Severity = Finding::Severity;

AlertRule onFinding(const char* code, Severity severity, qint64 forMs)
{
    AlertRule rule;
    rule.when = code;
    rule.condition = FindingCondition{code};
    rule.severity = severity;
    rule.forMs = forMs;
    rule.builtIn = true;
    return rule;
}

AlertRule onMetric(const char* when, MetricCondition condition, Severity severity, qint64 forMs)
{
    AlertRule rule;
    rule.when = when;
    rule.condition = std::move(condition);
    rule.severity = severity;
    rule.forMs = forMs;
    rule.builtIn = true;
    return rule;
}

constexpr qint64 second = 1000;
constexpr qint64 minute = 60 * second;

} // namespace

const std::vector<AlertRule>& builtInRules()
{
    static const std::vector<AlertRule> rules{
        onFinding("queue-stuck", Severity::Error, minute),
        onFinding("queue-without-workers", Severity::Error, minute),
        onMetric("queue.dead > 0 in 10m", {Kind::Queue, "dead", Comparison::Above, 0, 10 * minute},
                 Severity::Warning, 0),
        onMetric("lock.held_ratio > 3", {Kind::Lock, "held_ratio", Comparison::Above, 3, 0},
                 Severity::Warning, 0),
        onFinding("limiter-saturated", Severity::Warning, 5 * minute),
        onFinding("token-used-twice", Severity::Warning, 0),
        onMetric("server.lost_nodes > 0", {std::nullopt, "lost_nodes", Comparison::Above, 0, 0},
                 Severity::Error, 15 * second),
    };
    return rules;
}

std::vector<AlertRule> rulesInForce(const AlertSettings& settings)
{
    std::vector<AlertRule> rules;
    for (const AlertRule& rule : settings.rules) {
        if (!rule.off)
            rules.push_back(rule);
    }
    if (!settings.builtIn)
        return rules;
    for (const AlertRule& rule : builtInRules()) {
        const bool replaced =
            std::any_of(settings.rules.begin(), settings.rules.end(),
                        [&](const AlertRule& own) { return own.condition == rule.condition; });
        if (!replaced)
            rules.push_back(rule);
    }
    return rules;
}

QByteArrayList targetsOf(const AlertRule& rule, const AlertSettings& settings)
{
    QByteArrayList targets;
    for (const QByteArray& name : rule.notify.value_or(settings.notify)) {
        if (!targets.contains(name))
            targets << name;
    }
    return targets;
}

} // namespace lk
