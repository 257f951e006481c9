// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/scan/pace/scanpace.h"

#include <QString>

#include <optional>

namespace lk {

/// "polite": on the command line and in what is remembered of a window.
QString scanPaceId(ScanPace pace);
std::optional<ScanPace> scanPaceOf(const QString& id); ///< nothing: there is no such pace

} // namespace lk
