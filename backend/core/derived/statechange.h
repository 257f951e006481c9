// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

namespace lk {

/// True if the two states differ only by elapsed time: same holder, same contents as far as they
/// are read, same end. Ages and remaining times are not compared.
bool isSameContent(const State& a, const State& b);

} // namespace lk
