// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/derived/patternfigures.h"

namespace lk {

/// The unit of mainNumber(): "pages", "members".
QString mainUnit(const PatternState& pattern);
/// The number with at most three decimals, so that 0.9999999999999999 becomes 1.
QString figureText(double number);
/// The main number with its unit: "12 pages", "1,234 users"; a dash if unknown.
QString mainText(const PatternState& pattern);

} // namespace lk
