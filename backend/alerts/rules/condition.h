// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alertrule.h"

#include <tl/expected.hpp>

namespace lk {

/// What the server itself is measured by, for rules. A value.
struct ServerNumbers
{
    qint64 lostNodes = 0; ///< that do not answer; 1 where the only one does not
    std::optional<double> commandsPerSecond;
    std::optional<double> usedMemory; ///< bytes
};

/// Reads what stands after "when": a finding's code, or KIND.METRIC OP NUMBER [in DURATION]. The
/// error says what would be right.
tl::expected<AlertCondition, QString> parseCondition(const QByteArray& when);

/// All that may be compared of a kind, or of the server: what its layouts chart, and what only
/// watching tells.
QStringList alertMetrics(std::optional<Kind> kind);
/// Whether it is counted in milliseconds.
bool isDuration(const MetricCondition& condition);

/// A number of a state at a moment of server time. usualHoldMs: of a lock, 0 where it is not known.
struct MetricReading
{
    std::optional<double> value; ///< nothing: there is none, or it is not known
    bool known = true;           ///< with no value: there is none, so the condition does not hold
};
MetricReading readMetric(const State& state, const QByteArray& metric, qint64 nowMs,
                         qint64 usualHoldMs);
MetricReading readMetric(const ServerNumbers& numbers, const QByteArray& metric);
/// When a lock that is held from that moment on reaches the number by time alone; 0: never.
qint64 reachedAtMs(const MetricCondition& condition, qint64 heldSinceMs, qint64 usualHoldMs);

bool holds(const MetricCondition& condition, double value);
/// Whether it has come back far enough to be clear, if it has fired before.
bool isClear(const MetricCondition& condition, double value, std::optional<double> resolve);

} // namespace lk
