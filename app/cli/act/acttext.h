// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/execution/outcomecheck.h"
#include "backend/acting/journal/journal.h"
#include "backend/acting/receipt.h"
#include "backend/libraries/api/plan.h"

namespace lk {

// The output of `act`. Translated; each text ends with a line feed.

QString planText(const Plan& plan, const QString& endpoint);
/// seen: the state that was read after an unknown outcome.
QString receiptText(const Receipt& receipt, const std::optional<OutcomeSeen>& seen = {});
/// The same as one line of JSON. Contains a code that is shown only once.
QByteArray receiptJson(const Receipt& receipt, const Plan& plan,
                       const std::optional<OutcomeSeen>& seen = {});
QByteArray answerJson(const Answer& answer);
QString journalText(const std::vector<JournalEntry>& entries);
QByteArray journalJson(const std::vector<JournalEntry>& entries);

} // namespace lk
