// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace lk {

/// What an action or a script of it is called now: scripts and runbooks of operators, journals and
/// undo records of earlier versions name some of them otherwise. Pure.
QByteArray currentName(const QByteArray& name);

} // namespace lk
