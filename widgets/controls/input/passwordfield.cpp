// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/input/passwordfield.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>

namespace lk {

PasswordField::PasswordField(QWidget* parent)
    : QLineEdit(parent)
{
    setEchoMode(QLineEdit::Password);
    setInputMethodHints(Qt::ImhHiddenText | Qt::ImhSensitiveData | Qt::ImhNoPredictiveText |
                        Qt::ImhNoAutoUppercase);
    setDragEnabled(false);
}

void PasswordField::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Undo) || event->matches(QKeySequence::Redo)) {
        event->accept();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

void PasswordField::contextMenuEvent(QContextMenuEvent* event)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("&Paste"), this, &QLineEdit::paste);
    menu->addAction(tr("&Clear"), this, &QLineEdit::clear);
    menu->popup(event->globalPos());
}

} // namespace lk
