// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

class QWidget;

namespace lk {

/// Returns the widgets below these parts that take the focus, in reading order: from top to bottom,
/// within a line from its beginning. Made anew each time, because rows of chips and panes come and
/// go.
QList<QWidget*> tabSequence(const QList<QWidget*>& parts);

/// Returns the next widget in the sequence, which wraps around. If now is not in it, returns the
/// first one, or the last one if forward is false. Null if the sequence is empty.
QWidget* nextByTab(const QList<QWidget*>& sequence, const QWidget* now, bool forward);

} // namespace lk
