// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"
#include "backend/redis/redlock/redlockgroup.h"

namespace lk {

/// Those of the configuration file, an empty path being the default one. passwordVariable: for
/// the servers of a group whose URL has none, and which have the user of the first such one.
/// Errors: as loadRedlocks().
Result<std::vector<RedlockGroup>> declaredGroups(const QString& configFile,
                                                 const QString& passwordVariable);

} // namespace lk
