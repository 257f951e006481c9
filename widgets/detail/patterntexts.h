// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"
#include "widgets/controls/labels/figurerow.h"

namespace lk {

// The texts of a pattern's detail pane. Pure; all translated.

/// The numbers of the row at the top, the main one first.
std::vector<Figure> patternFigures(const State& state, const PatternState& pattern);

/// Returns the title above the rows: their meaning, and their total if there are more.
QString rowsTitle(const PatternState& pattern);
/// Returns why there are no rows although there might be. Empty if there are some, or need not be
/// any. past: the state is shown as it was recorded.
QString noRowsText(const State& state, const PatternState& pattern, bool past);

} // namespace lk
