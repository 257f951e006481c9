// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/receipt.h"
#include "widgets/theme/themecolors.h"

#include <QIcon>

namespace lk {

/// Icon and colour of an outcome. The icons differ without colour, too.
QString outcomeIconName(Outcome outcome);
ColorRole outcomeRole(Outcome outcome);
QIcon outcomeIcon(Outcome outcome, const QPalette& palette);

} // namespace lk
