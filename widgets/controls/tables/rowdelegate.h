// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace lk {

/// The plain cell of every table: 8 pixels of air at both sides, one height from the font, and a
/// quiet tint for selected rows so that the colours of icons and bars stay readable on it.
class RowDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    static constexpr int margin = 8;

    using QStyledItemDelegate::QStyledItemDelegate;

    static int rowHeight(const QFontMetrics& metrics);
    /// The room that an icon takes before the text.
    static int iconWidth(const QFontMetrics& metrics) { return metrics.height() + 6; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    /// With the margins that paint() leaves: the style knows only of smaller ones.
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
    /// Ground, selection and focus frame; no text and no icon.
    static void paintGround(QPainter* painter, const QStyleOptionViewItem& option);
};

} // namespace lk
