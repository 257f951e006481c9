// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/actions/journal.h"
#include "backend/actions/plan.h"
#include "backend/actions/receipt.h"

namespace lk {

// What `act` prints. Translated; each ends with a line feed.

QString planText(const Plan& plan, const QString& endpoint);
QString receiptText(const Receipt& receipt);
QString journalText(const std::vector<JournalEntry>& entries);
QByteArray journalJson(const std::vector<JournalEntry>& entries);

} // namespace lk
