// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alertrule.h"
#include "backend/config/configedit.h"

namespace lk {

/// A rule in the file: in the block of the rule that has that id now (AlertRule::id()), where
/// comments and order stay, else in a new one at the end. As declareLimiter() otherwise.
/// Errors: BadConfig.
Result<ConfigEdit> writeAlert(const QByteArray& toml, const QString& fileName,
                              const AlertRule& wanted, const QByteArray& insteadOf);

/// A number as such a file has it: 1000, 0.5.
QByteArray configNumber(double number);

} // namespace lk
