// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/timemark.h"
#include "widgets/theme/themecolors.h"

#include <QRect>

#include <functional>
#include <vector>

class QPainter;

namespace lk {

/// The distance in pixels at which the pointer still hits a mark.
inline constexpr int reachOfMark = 4;

ColorRole markRole(const TimeMark& mark);
/// Returns true if the mark is a flag in a chart: neither a gap, which the lines show, nor the
/// chart's own subject.
bool isFlag(const TimeMark& mark);
/// Returns the mark's text for a box, cut if it is long.
QString shortMarkText(const TimeMark& mark);

/// Flags on the time axis at the lower edge of a chart's area, a faint line up from each.
void paintTimeMarks(QPainter& painter, const QRect& area, const std::vector<TimeMark>& marks,
                    const std::function<qreal(qint64)>& xOf, const QPalette& palette);

} // namespace lk
