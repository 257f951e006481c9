// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/config/checkconfig.h"
#include "backend/redis/redlock/redlockgroup.h"

namespace lk {

/// Reads all [[redlock]] tables. Strict: the first mistake refuses the file.
tl::expected<std::vector<RedlockGroup>, ConfigRefusal> readRedlocks(const toml::node& node);

} // namespace lk
