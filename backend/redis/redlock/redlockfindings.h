// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/redlock/redlockreport.h"

namespace lk {

/// The hazards that a group's report shows: servers that are no votes of their own first, then too
/// few that answer, then its locks. Pure.
std::vector<Finding> redlockFindings(const RedlockReport& report);

} // namespace lk
