// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "widgets/theme/themecolors.h"

#include <QIcon>

namespace lk {

/// Octagon, triangle, circle: told apart without their colour.
QString severityIconName(Finding::Severity severity);
ColorRole severityRole(Finding::Severity severity);
QIcon severityIcon(Finding::Severity severity, const QPalette& palette);

} // namespace lk
