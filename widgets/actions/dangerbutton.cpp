// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/actions/dangerbutton.h"

#include "widgets/theme/themecolors.h"

#include <QApplication>
#include <QEvent>

namespace lk {

DangerButton::DangerButton(QWidget* parent)
    : QPushButton(parent)
{
    dress();
}

void DangerButton::setDangerous(bool dangerous)
{
    m_dangerous = dangerous;
    dress();
}

void DangerButton::dress()
{
    const QPalette base = QApplication::palette();
    const ThemeColors& colors = themeColors(base);
    const QColor fill = m_dangerous ? colors.danger : colors.accent;
    QPalette own;
    for (const auto group : {QPalette::Active, QPalette::Inactive}) {
        own.setColor(group, QPalette::Button, fill);
        own.setColor(group, QPalette::ButtonText, colors.dark ? colors.ground : colors.surface);
    }
    own.setColor(QPalette::Disabled, QPalette::Button,
                 base.color(QPalette::Disabled, QPalette::Button));
    own.setColor(QPalette::Disabled, QPalette::ButtonText,
                 base.color(QPalette::Disabled, QPalette::ButtonText));
    setPalette(own);
}

void DangerButton::changeEvent(QEvent* event)
{
    QPushButton::changeEvent(event);
    if (event->type() == QEvent::ApplicationPaletteChange)
        dress();
}

} // namespace lk
