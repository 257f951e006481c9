// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/input/returnkey.h"

#include "widgets/controls/input/dangerbutton.h"

#include <QDialog>
#include <QKeyEvent>
#include <QMenu>
#include <QToolButton>

namespace lk {

bool isReturn(const QKeyEvent& event)
{
    return event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter;
}

bool pressByReturn(const QDialog& dialog, const QKeyEvent& event)
{
    auto* button = qobject_cast<QPushButton*>(dialog.focusWidget());
    if (!button || !isReturn(event))
        return false;
    // A key that is held down would go on pressing what comes next.
    if (!qobject_cast<DangerButton*>(button) && !event.isAutoRepeat())
        button->click();
    return true;
}

bool pressFocused(const QWidget& window, const QKeyEvent& event)
{
    auto* button = qobject_cast<QAbstractButton*>(window.focusWidget());
    if (!button || !isReturn(event))
        return false;
    const auto* tool = qobject_cast<QToolButton*>(button);
    if (event.isAutoRepeat() || !button->isEnabled())
        return true;
    if (tool && tool->menu() && tool->popupMode() == QToolButton::InstantPopup)
        popupBelow(*tool);
    else
        button->click();
    return true;
}

void popupBelow(const QToolButton& button)
{
    QMenu* menu = button.menu();
    menu->popup(button.mapToGlobal(QPoint(0, button.height())));
    for (QAction* action : menu->actions()) {
        if (action->isEnabled() && !action->isSeparator())
            return menu->setActiveAction(action);
    }
}

} // namespace lk
