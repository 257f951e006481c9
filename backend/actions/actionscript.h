// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/actions/plan.h"
#include "backend/actions/receipt.h"
#include "backend/redis/reply.h"
#include "backend/redis/script.h"

namespace lk {

/// An action's script: what all share and its own part, as one. Errors: FileError.
Result<Script> actionScript(const QByteArray& name);

/// All that the script is called with: the limit of what is kept first.
std::vector<QByteArray> actionArgs(const std::vector<QByteArray>& args);

/// Fills in what came of it: outcome, text, count, items, changes. The protocol is
/// lua/actions/prelude.lua's. An answer that is not of it is an outcome unknown: something ran.
void readAnswer(const Reply& reply, const std::vector<QByteArray>& keys, Receipt& receipt);

/// For a batch that failed after it was sent.
void readLoss(const Error& error, Receipt& receipt);

} // namespace lk
