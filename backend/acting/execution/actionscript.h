// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/receipt.h"
#include "backend/libraries/api/plan.h"
#include "backend/redis/protocol/reply.h"
#include "backend/redis/script.h"

namespace lk {

/// An action's script: what all share and its own part, as one. Errors: FileError.
Result<Script> actionScript(const QByteArray& name);

/// All that the script is called with: first the limit of what is kept, and until when by the
/// server's clock (milliseconds) it may begin to write.
std::vector<QByteArray> actionArgs(const std::vector<QByteArray>& args, qint64 deadlineMs);

/// Fills in what came of it: outcome, text, count, items, changes. The protocol is
/// lua/actions/prelude.lua's. An answer that is not of it is an outcome unknown: something ran.
void readAnswer(const Reply& reply, const std::vector<QByteArray>& keys, Receipt& receipt);

/// For a script whose answer never came. sent: it has left, or part of it; its deadline has passed.
void readLoss(const Error& error, bool sent, Receipt& receipt);

} // namespace lk
