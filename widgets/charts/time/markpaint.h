// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/timemark.h"
#include "widgets/theme/themecolors.h"

#include <QRect>

#include <functional>
#include <vector>

class QPainter;

namespace lk {

/// So many pixels beside a mark still mean it.
inline constexpr int reachOfMark = 4;

ColorRole markRole(const TimeMark& mark);
/// Stands as a flag in a chart: neither a gap, which the lines show, nor what the chart is about.
bool isFlag(const TimeMark& mark);
/// In a box: cut where it is long.
QString shortMarkText(const TimeMark& mark);

/// Flags on the time axis at the lower edge of a chart's area, a faint line up from each.
void paintTimeMarks(QPainter& painter, const QRect& area, const std::vector<TimeMark>& marks,
                    const std::function<qreal(qint64)>& xOf, const QPalette& palette);

} // namespace lk
