// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>

namespace lk {

/// A table's header without boxes: quiet titles over a thin line, aligned with the cells below,
/// and an arrow at the column that sorts.
class FlatHeader final : public QHeaderView
{
    Q_OBJECT

public:
    explicit FlatHeader(QWidget* parent = nullptr);

    QSize sizeHint() const override;

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;
    void paintEvent(QPaintEvent* event) override;
};

} // namespace lk
