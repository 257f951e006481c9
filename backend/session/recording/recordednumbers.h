// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

namespace lk {

/// The primitive under which the numbers of a deployment as a whole are recorded.
PrimitivePtr deploymentTotals();
/// Returns a state's number that is recorded under that name; for RecordQueries::series().
std::optional<double> recordedNumber(const State& state, const QByteArray& metric);
/// Returns the metric name for a queue's jobs in that state.
QByteArray jobsMetric(const QByteArray& state);
/// Returns the value to record of a server's own number: the last value while the new one is close
/// to it. An idle server counts the bytes and commands of this console and would otherwise never
/// appear idle.
double steadyNumber(const QByteArray& metric, double last, double now);

} // namespace lk
