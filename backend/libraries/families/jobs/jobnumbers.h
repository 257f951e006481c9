// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/text/columns/column.h"

#include <QFlags>

namespace lk {

/// The numbers over time that a library's counters and its jobs' times give.
enum class JobNumber : quint8 {
    Throughput = 1,
    Waiting = 2, ///< how long jobs waited
    Running = 4, ///< how long they ran
};
Q_DECLARE_FLAGS(JobNumbers, JobNumber)
Q_DECLARE_OPERATORS_FOR_FLAGS(JobNumbers)

/// A queue's columns and metrics with these numbers. Live as long as the program.
std::span<const Column> jobColumns(JobNumbers numbers);
std::span<const Metric> jobMetrics(JobNumbers numbers);

} // namespace lk
