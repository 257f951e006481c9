// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace lk {

// This process and this machine. POSIX and /proc; what another system does not tell is 0 or empty.

/// Memory of this process in bytes; 0: not known.
qint64 residentBytes();
/// Memory of the machine in bytes; 0: not known.
qint64 physicalBytes();
/// Processor time of this process so far, in seconds; 0: not known.
double cpuSeconds();

/// Keeps other programs of the same user from reading this process's memory and environment, and
/// both out of core dumps. Linux; does nothing elsewhere.
void keepMemoryPrivate();

/// Takes a variable out of the environment and returns its value. Its old place is overwritten: the
/// same user's processes read the environment that a process began with, whatever it unsets later.
QString takeFromEnvironment(const char* name);

/// Login name of the real user, whatever the environment says; "uid 1000" if it has none.
QString userName();

/// Names the processes among which a pid means what it does here: empty, or that of a container.
QByteArray pidNamespace();
/// False if there is surely no such process; a pid of another user counts as alive.
bool isProcessAlive(qint64 pid);

} // namespace lk
