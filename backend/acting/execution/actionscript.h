// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/receipt.h"
#include "backend/libraries/api/plan.h"
#include "backend/redis/protocol/reply.h"
#include "backend/redis/script.h"

namespace lk {

/// Returns an action's script: the common part and its own, as one. Errors: FileError.
Result<Script> actionScript(const QByteArray& name);

/// Returns all arguments of the script. The first contains the limit of what is kept, and the
/// deadline to begin writing, in milliseconds of the server's clock.
std::vector<QByteArray> actionArgs(const std::vector<QByteArray>& args, qint64 deadlineMs);

/// Fills in the result: outcome, text, count, items, changes. The protocol is that of
/// lua/actions/prelude.lua. Any other answer is an unknown outcome, since something ran.
void readAnswer(const Reply& reply, const std::vector<QByteArray>& keys, Receipt& receipt);

/// Fills in the result of a script whose answer never arrived. sent: it was sent, or part of it,
/// and its deadline has passed.
void readLoss(const Error& error, bool sent, Receipt& receipt);

} // namespace lk
