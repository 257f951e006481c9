// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/planning/preflight.h"
#include "backend/libraries/api/plan.h"
#include "backend/redis/protocol/command.h"
#include "backend/redis/protocol/reply.h"
#include "backend/redis/server/capabilities.h"

namespace lk {

/// The value of Plan::script if no script is sent, but the server's own command that compares a
/// value and removes its key. KEYS[1] is the key, ARGV[2] the value.
inline const QByteArray ifEqualScript = QByteArrayLiteral("if-equal");

/// Returns DELIFEQ, DELEX ... IFEQ, or SET ... IFEQ with an immediate expiry, whichever that server
/// has. Nothing if it is not certain to have one.
std::optional<Command> removeIfEqual(const ServerVersion& server, const QByteArray& key,
                                     const QByteArray& value);
/// Converts its reply to that of a script: see lua/actions/prelude.lua.
Reply answerOfIfEqual(const Reply& reply);

/// True if that action is possible even if no script can be run: see replaceScript().
bool mayDoWithoutScripts(const QByteArray& action, const ServerLimits& limits);

/// If no script can be run, makes a plan that only releases a lock use one command, which cannot be
/// undone. Other plans stay unchanged, and are refused.
void replaceScript(Plan& plan, const ServerLimits& limits);

} // namespace lk
