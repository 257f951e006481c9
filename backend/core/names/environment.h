// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lk {

/// "production", "prod-eu", "live" and the like, but not "preprod". A server so labelled asks for
/// more before anything is done to it.
bool isProduction(const QString& environment);

} // namespace lk
