// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/tables/rowdelegate.h"

class QTableView;

namespace lk {

/// Draws the cells of a board by their column's style: an icon and a word, a bar and its
/// numbers, monospace names. Numbers and durations are never cut: a duration loses its smaller unit
/// first. What columns say that the table hides stands in a second line, below the name.
class CellDelegate final : public RowDelegate
{
    Q_OBJECT

public:
    using RowDelegate::RowDelegate;

    /// What the cell's text and icon take, in full and in the shortest form that does not mislead.
    static int textWidth(const QModelIndex& index, const QFontMetrics& metrics);
    static int leastTextWidth(const QModelIndex& index, const QFontMetrics& metrics);
    /// What is drawn of the cell's text in a cell of that width, margins included.
    static QString shownText(const QModelIndex& index, const QFontMetrics& metrics, int cellWidth);

    /// Of a row whose name has a second line.
    static int twoLineHeight(const QFontMetrics& metrics);
    /// What columns say that the table hides, each with its title; a layout speaks for itself.
    /// index: of the name. Empty: none is hidden.
    static QString secondLine(const QModelIndex& index, const QTableView& table);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

} // namespace lk
