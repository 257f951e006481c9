// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/text/columns/column.h"

// The columns and metrics of each kind, each in its own file. columns(kind) and metrics(kind)
// select among them.
namespace lk {

std::span<const Column> limiterColumns();
std::span<const Metric> limiterMetrics();
std::span<const Column> lockColumns();
std::span<const Metric> lockMetrics();
std::span<const Column> queueColumns();
std::span<const Metric> queueMetrics();
std::span<const Column> tokenColumns();
std::span<const Metric> tokenMetrics();
std::span<const Column> patternColumns();
std::span<const Metric> patternMetrics();

} // namespace lk
