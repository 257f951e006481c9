// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/planning/preflight.h"
#include "backend/libraries/api/plan.h"
#include "backend/redis/protocol/command.h"
#include "backend/redis/protocol/reply.h"
#include "backend/redis/server/capabilities.h"

namespace lk {

/// What stands in Plan::script where no script is sent: the server's own command that compares a
/// value and removes its key, KEYS[1] and ARGV[2] being key and value.
inline const QByteArray ifEqualScript = QByteArrayLiteral("if-equal");

/// DELIFEQ, DELEX ... IFEQ, or SET ... IFEQ with an end at once, whichever that server has;
/// nothing: it has none of them for sure.
std::optional<Command> removeIfEqual(const ServerVersion& server, const QByteArray& key,
                                     const QByteArray& value);
/// Its reply, as the script's would be: see lua/actions/prelude.lua.
Reply answerOfIfEqual(const Reply& reply);

/// True where that action may be done though no script can be run: see replaceScript().
bool mayDoWithoutScripts(const QByteArray& action, const ServerLimits& limits);

/// Where no script can be run, has a plan that does no more than release a lock do so by one
/// command, which nothing can undo. Other plans stay as they are, and are refused.
void replaceScript(Plan& plan, const ServerLimits& limits);

} // namespace lk
