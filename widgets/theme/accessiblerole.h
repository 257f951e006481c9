// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAccessible>

class QWidget;

namespace lk {

/// Tells assistive technology what a widget is where Qt would take it for something else: a tab of
/// the navigation bar, one of several chips. A button that is checked is then told as selected
/// (tabs) or checked (all others), and can be pressed.
void setAccessibleRole(QWidget* widget, QAccessible::Role role);

} // namespace lk
