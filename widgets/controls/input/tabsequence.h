// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

class QWidget;

namespace lk {

/// What Tab goes through: all that takes the focus below these, as one reads: what is
/// above before what is below, what is beside it from its beginning on. Made anew each time: rows
/// of chips and panes come and go.
QList<QWidget*> tabSequence(const QList<QWidget*>& parts);

/// The one after that in the sequence, round and round; the first where it is not in it. Null if
/// there is none.
QWidget* nextByTab(const QList<QWidget*>& sequence, const QWidget* now, bool forward);

} // namespace lk
