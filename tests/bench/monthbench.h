// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/benchreport.h"

namespace lk::bench {

/// How long a chart waits for a month of its numbers, and for a day at a time while it is panned.
void measureMonth(Report& report);

} // namespace lk::bench
