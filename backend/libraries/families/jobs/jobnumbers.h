// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/text/columns/column.h"

#include <QFlags>

namespace lk {

/// What a library's counters and its jobs' times tell of its queues over time.
enum class JobNumber : quint8 {
    Throughput = 1,
    Waiting = 2, ///< how long jobs waited
    Running = 4, ///< how long they ran
};
Q_DECLARE_FLAGS(JobNumbers, JobNumber)
Q_DECLARE_OPERATORS_FOR_FLAGS(JobNumbers)

/// A queue's columns and metrics with those. Live as long as the program.
std::span<const Column> jobColumns(JobNumbers numbers);
std::span<const Metric> jobMetrics(JobNumbers numbers);

} // namespace lk
