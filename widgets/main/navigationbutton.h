// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/themecolors.h"

#include <QAbstractButton>

namespace lk {

/// One board's place on the rail: icon, title, count, and the worst state's icon.
class NavigationButton final : public QAbstractButton
{
    Q_OBJECT

public:
    NavigationButton(const QString& iconName, const QString& title, QWidget* parent = nullptr);

    /// count below 0: none is shown. markName: an icon of our own set; empty: none is shown.
    void setCount(qint64 count, const QString& markName, ColorRole markRole,
                  const QString& description);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_iconName;
    qint64 m_count = -1;
    QString m_markName;
    ColorRole m_markRole = ColorRole::Text;
};

} // namespace lk
