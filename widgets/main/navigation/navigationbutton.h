// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/board/boardbadge.h"

#include <QAbstractButton>

namespace lk {

/// One board's place on the navigation bar: icon, title, count, and the worst state's icon.
class NavigationButton final : public QAbstractButton
{
    Q_OBJECT

public:
    NavigationButton(const QString& iconName, const QString& title, QWidget* parent = nullptr);

    void setBadge(const BoardBadge& badge);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_iconName;
    BoardBadge m_badge;
};

} // namespace lk
