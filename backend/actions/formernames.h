// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QStringList>

namespace lk {

/// What an action or a script of it is called now: scripts and runbooks of operators, journals and
/// undo records of earlier versions name some of them otherwise. Pure.
QByteArray currentName(const QByteArray& name);

/// What an option of act was called before, without its dashes; it is still accepted. Pure.
QStringList formerOptions(const QByteArray& option);

} // namespace lk
