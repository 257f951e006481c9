// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QDialog;
class QKeyEvent;
class QToolButton;
class QWidget;

namespace lk {

/// Its menu, as if it was clicked, with the first entry chosen: for those who came by a key.
void popupBelow(const QToolButton& button);

bool isReturn(const QKeyEvent& event);

/// In a dialog whose default button leaves it, Return on another button presses that one. What
/// writes is pressed by Space or a click: on it Return does nothing. False: it is on no button.
bool pressByReturn(const QDialog& dialog, const QKeyEvent& event);

/// In a window without a default button Return presses whatever button has the focus, or opens its
/// menu. False: the focus is on none.
bool pressFocused(const QWidget& window, const QKeyEvent& event);

} // namespace lk
