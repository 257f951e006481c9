// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/boards/rowdelegate.h"

namespace lk {

/// Draws the cells of a board by their column's style: an icon and a word, a bar and its
/// numbers, monospace names.
class CellDelegate final : public RowDelegate
{
    Q_OBJECT

public:
    using RowDelegate::RowDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

} // namespace lk
