// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/tables/rowdelegate.h"

class QTableView;

namespace lk {

/// Draws the cells of a board by their column's style: an icon and a word, a bar and its numbers,
/// monospace names. Numbers and durations are never cut: a duration loses its smaller unit first.
/// Columns that the table hides appear in a second line, below the name.
class CellDelegate final : public RowDelegate
{
    Q_OBJECT

public:
    using RowDelegate::RowDelegate;

    /// Return the width of the cell's text and icon, in full and in the shortest form that does not
    /// mislead.
    static int textWidth(const QModelIndex& index, const QFontMetrics& metrics);
    static int leastTextWidth(const QModelIndex& index, const QFontMetrics& metrics);
    /// Returns the part of the cell's text that fits into a cell of that width, margins included.
    static QString shownText(const QModelIndex& index, const QFontMetrics& metrics, int cellWidth);

    /// Returns the height of a row whose name has a second line.
    static int twoLineHeight(const QFontMetrics& metrics);
    /// Returns the texts of the hidden columns, each with its title; a layout has no title. index:
    /// the cell of the name. Empty if no column is hidden.
    static QString secondLine(const QModelIndex& index, const QTableView& table);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

} // namespace lk
