// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/protocol/command.h"

#include <optional>

namespace lk {

/// The key by whose slot a cluster decides where a command is answered: its first one. Empty where
/// it has none, and any node answers: SCAN, INFO, TIME, CLIENT ... Of commands that this console
/// sends; see the key specifications in the server's own list of commands.
std::optional<QByteArray> routingKey(const Command& command);

} // namespace lk
