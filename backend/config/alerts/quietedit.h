// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alertrule.h"
#include "backend/config/configedit.h"

#include <optional>

namespace lk {

/// Quiet hours in the file: in the block in that place among all [[quiet]], where comments and
/// order stay; -1: in a new one at the end. Empty: that block is taken out. As declareLimiter()
/// otherwise. Errors: BadConfig.
Result<ConfigEdit> writeQuiet(const QByteArray& toml, const QString& fileName,
                              const std::optional<QuietHours>& wanted, int place);

/// A minute of the day as such a file has it: 22:00.
QString configClock(int minuteOfDay);

} // namespace lk
