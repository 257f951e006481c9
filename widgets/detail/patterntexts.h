// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"
#include "widgets/controls/labels/figurerow.h"

namespace lk {

// What the detail pane of a pattern says in words. Pure; all translated.

/// The numbers of the row at the top, the main one first.
std::vector<Figure> patternFigures(const State& state, const PatternState& pattern);

/// Above the rows: what they are, and of how many where there are more.
QString rowsTitle(const PatternState& pattern);
/// Why there are none although there might be; empty if there are, or need not be any.
/// past: it is shown as it was recorded.
QString noRowsText(const State& state, const PatternState& pattern, bool past);

} // namespace lk
