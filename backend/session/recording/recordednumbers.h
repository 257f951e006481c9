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

} // namespace lk
