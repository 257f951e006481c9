// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/protocol/command.h"

#include <optional>

namespace lk {

/// Returns the key whose slot decides which node of a cluster answers the command: its first key.
/// Empty if it has none, and any node answers: SCAN, INFO, TIME, CLIENT ... Covers the commands
/// that this console sends; see the key specifications in the server's own list of commands.
std::optional<QByteArray> routingKey(const Command& command);

} // namespace lk
