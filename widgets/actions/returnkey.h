// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QDialog;
class QKeyEvent;

namespace lk {

bool isReturn(const QKeyEvent& event);

/// In a dialog whose default button leaves it, Return on another button presses that one. What
/// writes is pressed by Space or a click: on it Return does nothing. False: it is on no button.
bool pressByReturn(const QDialog& dialog, const QKeyEvent& event);

} // namespace lk
