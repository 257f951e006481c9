// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alertrule.h"

#include <tl/expected.hpp>

namespace lk {

/// The metrics of the server itself, for rules. A value.
struct ServerNumbers
{
    qint64 lostNodes = 0; ///< nodes that do not answer; 1 if the only one does not
    std::optional<double> commandsPerSecond;
    std::optional<double> usedMemory; ///< bytes
};

/// Parses the value of "when": a finding's code, or KIND.METRIC OP NUMBER [in DURATION]. The error
/// describes the valid form.
tl::expected<AlertCondition, QString> parseCondition(const QByteArray& when);

/// Returns the metrics that may be compared for a kind, or for the server: those that its layouts
/// chart, and those known only by watching.
QStringList alertMetrics(std::optional<Kind> kind);
/// True if the metric is in milliseconds.
bool isDuration(const MetricCondition& condition);

/// A metric of a state at a moment of server time. usualHoldMs: a lock's; 0 if not known.
struct MetricReading
{
    std::optional<double> value; ///< nothing if there is none, or it is not known
    bool known = true;           ///< without value: there is none, so the condition does not hold
};
MetricReading readMetric(const State& state, const QByteArray& metric, qint64 nowMs,
                         qint64 usualHoldMs);
MetricReading readMetric(const ServerNumbers& numbers, const QByteArray& metric);
/// Returns when a lock that is held since that moment reaches the number by time alone; 0 if never.
qint64 reachedAtMs(const MetricCondition& condition, qint64 heldSinceMs, qint64 usualHoldMs);

bool holds(const MetricCondition& condition, double value);
/// True if the value has come back far enough to be clear, after the condition has fired.
bool isClear(const MetricCondition& condition, double value, std::optional<double> resolve);

} // namespace lk
