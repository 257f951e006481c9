// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

namespace lk {

/// Under which the numbers of a deployment as a whole are recorded.
PrimitivePtr deploymentTotals();
/// What a state shows as the number that is recorded under that name; for RecordQueries::series().
std::optional<double> recordedNumber(const State& state, const QByteArray& metric);
/// The name of the number of a queue's jobs in that state.
QByteArray jobsMetric(const QByteArray& state);
/// What is recorded of a server's own number: as it was told last while it is nearly that. A server
/// that rests counts the bytes and commands of whoever asks it, and would never be at rest.
double steadyNumber(const QByteArray& metric, double last, double now);

} // namespace lk
