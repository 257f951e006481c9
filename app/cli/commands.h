// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/commandspec.h"

namespace lk {

/// The commands that can follow "lockkeeper help".
QStringList commandNames();

/// The commands of both programs, with the options of each, but act: see actSpecs().
std::vector<CommandSpec> commandSpecs();
/// One of the command line's own: "snapshot", "check" or "jobs".
CommandSpec commandSpec(const QString& command);

/// The options that may come before a command: those of all commands but act, and of the console.
CommandSpec programSpec();

/// Returns the help of one command ("snapshot", "check", "jobs"), or of the whole program if it is
/// empty. Translated; ends with a line feed. See also actHelpText().
QString commandHelp(const QString& command = {});

} // namespace lk
