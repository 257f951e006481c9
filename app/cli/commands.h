// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/commandspec.h"

namespace lk {

/// What can follow "lockkeeper help".
QStringList commandNames();

/// The options of "snapshot", "check" and "jobs".
CommandSpec commandSpec(const QString& command);

/// The options that may come before a command: those of all commands but act, and of the console.
CommandSpec programSpec();

/// What --help prints of one command ("snapshot", "check", "jobs"); of none, about the program as a
/// whole. Translated; ends with a line feed. See also actHelpText().
QString commandHelp(const QString& command = {});

} // namespace lk
