// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace lk {

/// Returns an id that distinguishes this program's claims from others: machine, process and a
/// number.
QByteArray newRecorderId();

/// Returns true if the process ran on this machine and has ended, so that its claims are void.
bool isDeadRecorder(const QByteArray& id);

} // namespace lk
