// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/receipt.h"
#include "backend/session/redlock/redlockplan.h"

namespace lk {

// The output of `redlock release` and `redlock undo`. Translated; each text ends with a line feed.

/// The step, the servers it runs on, and the servers that are left out, with the reason.
QString redlockPlanText(const RedlockPlan& plan);
/// One line: the server and the outcome there.
QString redlockReceiptText(const QString& endpoint, const Receipt& receipt);
/// The same as one line of JSON.
QByteArray redlockReceiptJson(const QString& endpoint, const Receipt& receipt, const Plan& plan);
/// The number of servers where it is done, those that may still have the lock, and how to undo it.
QString redlockEndText(const RedlockPlan& plan, const std::vector<Receipt>& receipts);

} // namespace lk
