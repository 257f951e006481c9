// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/receipt.h"
#include "backend/session/redlock/redlockplan.h"

namespace lk {

// What `redlock release` and `redlock undo` print. Translated; each ends with a line feed.

/// What is done, and on which servers; which are left, and why.
QString redlockPlanText(const RedlockPlan& plan);
/// One line: the server and what came of it there.
QString redlockReceiptText(const QString& endpoint, const Receipt& receipt);
/// The same as one line of JSON.
QByteArray redlockReceiptJson(const QString& endpoint, const Receipt& receipt, const Plan& plan);
/// On how many servers it is done, which may still have it, and how to undo it.
QString redlockEndText(const RedlockPlan& plan, const std::vector<Receipt>& receipts);

} // namespace lk
