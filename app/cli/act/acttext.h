// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/execution/outcomecheck.h"
#include "backend/acting/journal/journal.h"
#include "backend/acting/receipt.h"
#include "backend/libraries/api/plan.h"

namespace lk {

// What `act` prints. Translated; each ends with a line feed.

QString planText(const Plan& plan, const QString& endpoint);
/// seen: with an unknown outcome, what was there afterwards.
QString receiptText(const Receipt& receipt, const std::optional<OutcomeSeen>& seen = {});
/// The same as one line of JSON. A code that is to be told once stands in it.
QByteArray receiptJson(const Receipt& receipt, const Plan& plan,
                       const std::optional<OutcomeSeen>& seen = {});
QByteArray answerJson(const Answer& answer);
QString journalText(const std::vector<JournalEntry>& entries);
QByteArray journalJson(const std::vector<JournalEntry>& entries);

} // namespace lk
