// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/input/dangerbutton.h"

#include "widgets/theme/themecolors.h"

#include <QPainter>

namespace lk {

DangerButton::DangerButton(QWidget* parent)
    : QPushButton(parent)
{}

void DangerButton::setDangerous(bool dangerous)
{
    m_dangerous = dangerous;
    update();
}

// The style would lighten the colour until its text could no longer be read well.
void DangerButton::paintEvent(QPaintEvent* event)
{
    if (!isEnabled())
        return QPushButton::paintEvent(event);
    const ThemeColors& colors = themeColors(palette());
    const QColor fill = m_dangerous ? colors.danger : colors.accent;
    const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(fill.darker(115));
    painter.setBrush(isDown() || underMouse() ? fill.darker(108) : fill);
    painter.drawRoundedRect(box, 2, 2);
    const QColor ink = colors.dark ? colors.ground : colors.surface;
    if (hasFocus()) {
        painter.setPen(ink);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box.adjusted(2, 2, -2, -2), 2, 2);
    }
    painter.setPen(ink);
    painter.drawText(rect(), Qt::AlignCenter | Qt::TextShowMnemonic, text());
}

} // namespace lk
