// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/actions/returnkey.h"

#include "widgets/actions/dangerbutton.h"

#include <QDialog>
#include <QKeyEvent>

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

} // namespace lk
