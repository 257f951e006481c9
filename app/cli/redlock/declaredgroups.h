// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"
#include "backend/redis/redlock/redlockgroup.h"

namespace lk {

/// Those of the configuration file, an empty path being the default one. passwordVariable: for
/// servers whose URL has none. Errors: as loadRedlocks().
Result<std::vector<RedlockGroup>> declaredGroups(const QString& configFile,
                                                 const QString& passwordVariable);

} // namespace lk
