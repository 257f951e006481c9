// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QDialog;
class QKeyEvent;
class QToolButton;
class QWidget;

namespace lk {

/// Opens the button's menu as a click does, with the first entry chosen: for users of the keyboard.
void popupBelow(const QToolButton& button);

bool isReturn(const QKeyEvent& event);

/// In a dialog whose default button closes it, Return presses the focused button instead. A button
/// that writes is pressed by Space or a click only: Return does nothing on it. Returns false if no
/// button has the focus, or the key is not Return.
bool pressByReturn(const QDialog& dialog, const QKeyEvent& event);

/// In a window without a default button, Return presses the focused button, or opens its menu.
/// Returns false if no button has the focus, or the key is not Return.
bool pressFocused(const QWidget& window, const QKeyEvent& event);

} // namespace lk
