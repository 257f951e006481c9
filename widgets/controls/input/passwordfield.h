// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

namespace lk {

/// A line for a password: never shown, never copied, dragged, completed or brought back by undo.
class PasswordField final : public QLineEdit
{
    Q_OBJECT

public:
    explicit PasswordField(QWidget* parent = nullptr);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
};

} // namespace lk
