// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/protocol/command.h"

namespace lk {

/// Appends the commands in wire format. Returns false if one is empty or larger than a server
/// accepts (512 MB); discard the appended bytes then.
bool appendCommands(QByteArray& out, const std::vector<Command>& commands);

} // namespace lk
