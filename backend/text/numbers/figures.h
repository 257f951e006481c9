// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/derived/patternfigures.h"

namespace lk {

/// What mainNumber() counts: "pages", "members".
QString mainUnit(const PatternState& pattern);
/// For a person: three decimals at the most, so that 0.9999999999999999 is 1.
QString figureText(double number);
/// Both: "12 pages", "1,234 users"; a dash where unknown.
QString mainText(const PatternState& pattern);

} // namespace lk
