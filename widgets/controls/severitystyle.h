// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "widgets/theme/themecolors.h"

#include <QIcon>

namespace lk {

/// Octagon, triangle, circle: they differ without colour, too.
QString severityIconName(Finding::Severity severity);
ColorRole severityRole(Finding::Severity severity);
/// isFaint: in the secondary colour.
QIcon severityIcon(Finding::Severity severity, const QPalette& palette, bool isFaint = false);

} // namespace lk
