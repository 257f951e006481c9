// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace lk {

class Action;

/// Actions in a menu's order; each lives as long as the program.
using ActionList = std::vector<const Action*>;

} // namespace lk
