// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/derived/stateid.h"
#include "widgets/theme/themecolors.h"

#include <QIcon>

namespace lk {

/// Returns one of the console's own icons (resources/icons/<name>.svg), drawn from its outline at
/// every size and device pixel ratio. Null if there is no icon of that name.
/// Tinted with the text colour, greyed if disabled. Make it again on QEvent::PaletteChange.
QIcon icon(const QString& name, const QPalette& palette);
QIcon icon(const QString& name, ColorRole role, const QPalette& palette);

/// Hollow circle, check, half circle, octagon: they differ without colour, too.
QIcon healthIcon(Health health, const QPalette& palette);
QString healthIconName(Health health);
/// The icon of a state. The unknown icon if the limit decides and is unknown: a tick would claim
/// that all is well.
QIcon stateIcon(const State& state, const QPalette& palette);
QIcon stateIcon(StateId state, Health health, const QPalette& palette);
/// A question mark, in no colour of a state.
QIcon unknownIcon(const QPalette& palette);
/// The icon of a kind's board.
QString kindIconName(Kind kind);
/// The mark of the application: a lock gate on a canal, in its own colours.
QIcon applicationIcon();

} // namespace lk
