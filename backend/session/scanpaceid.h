// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/scan/pace/scanpace.h"

#include <QString>

#include <optional>

namespace lk {

/// Returns the id for the command line and the window's settings: "polite".
QString scanPaceId(ScanPace pace);
std::optional<ScanPace> scanPaceOf(const QString& id); ///< empty if there is no such pace

} // namespace lk
