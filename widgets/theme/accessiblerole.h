// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAccessible>

class QWidget;

namespace lk {

/// Sets the role of a widget for assistive technology if Qt would report another one: a tab of the
/// navigation bar, one of several chips. A checked button is then reported as selected (tabs) or
/// checked (all others), and can be pressed.
void setAccessibleRole(QWidget* widget, QAccessible::Role role);

} // namespace lk
