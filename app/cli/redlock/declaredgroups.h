// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/redlock/redlockgroup.h"

namespace lk {

/// passwordVariable: for the servers of a group whose URL has none, and which have the user of the
/// first such one.
std::vector<RedlockGroup> withPassword(std::vector<RedlockGroup> groups,
                                       const QString& passwordVariable);

} // namespace lk
