// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/protocol/command.h"

namespace lk {

/// Appends the commands as they go over the wire. False: one is empty or larger than a server
/// takes (512 MB); what was appended is of no use then.
bool appendCommands(QByteArray& out, const std::vector<Command>& commands);

} // namespace lk
