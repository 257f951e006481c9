// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lk {

/// True for "production", "prod-eu", "live" and the like, but not for "preprod". Actions on a
/// server with such a label need more confirmation.
bool isProduction(const QString& environment);

} // namespace lk
