// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace lk {

/// Tells what one program claims from what others do: machine, process and a number.
QByteArray newRecorderId();

/// Its process ran on this machine, and is no more: it will not come back for what it claimed.
bool isDeadRecorder(const QByteArray& id);

} // namespace lk
