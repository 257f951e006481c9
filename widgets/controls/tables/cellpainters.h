// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/kind.h"
#include "widgets/theme/themecolors.h"

#include <QRectF>

#include <optional>

class QPainter;

namespace lk {

// Small pictures for table cells and tiles. They draw into the painter they are given: a table
// of 100,000 rows has no widgets.

/// A track with a share of it filled, 10 pixels high in the rectangle's middle. share: 0 to 1;
/// empty: unknown, drawn dotted. selected: on the highlight's colour.
void paintShare(QPainter& painter, const QRectF& rect, std::optional<double> share,
                const QColor& color, const QPalette& palette, bool selected = false);

/// How much of a limit is used, as paintFillBar() draws it. A value.
struct FillBar
{
    std::optional<qint64> used = {};
    std::optional<qint64> limit = {}; ///< empty: only the number is drawn, and "/ ?"
    bool usedIsUpperBound = false;    ///< written as "at most"
    Health health = Health::Ok;
    bool selected = false; ///< on a selected row: the text takes the highlight's colour
    int textWidth = 0;     ///< the widest text beside bars of equal length
};

/// A bar, and "3 / 5" right-aligned beside it, in the painter's font.
void paintFillBar(QPainter& painter, const QRectF& rect, const FillBar& bar,
                  const QPalette& palette);
/// "3 / 5", "at most 7 / ?": what the bar says in words.
QString fillBarText(const FillBar& bar);
/// The width that the text of such a bar takes at most, plus a bar wide enough to be read.
int fillBarWidth(const QFontMetrics& metrics);

} // namespace lk
