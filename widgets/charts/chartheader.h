// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/themecolors.h"

#include <QWidget>

class QToolButton;

namespace lk {

/// The line above a chart: title, unit in words, the way back to now, and the latest value.
class ChartHeader final : public QWidget
{
    Q_OBJECT
public:
    explicit ChartHeader(QWidget* parent);

    void setTitle(const QString& title, const QString& unit);
    void setValue(const QString& value, ColorRole color = ColorRole::Text);
    void setFollowing(bool following);
    QString title() const { return m_title; }
    QString unit() const { return m_unit; }

    QSize sizeHint() const override;

signals:
    void followWanted();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void arrange();

    QString m_title;
    QString m_unit;
    QString m_value;
    ColorRole m_valueColor = ColorRole::Text;
    QToolButton* m_follow;
};

} // namespace lk
