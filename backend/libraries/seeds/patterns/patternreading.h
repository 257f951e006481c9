// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"
#include "backend/libraries/detect/replyvalues.h"

namespace lk {

// What the patterns' layouts share in reading lists and settling states.

/// Which end of a list comes first in what is read of it.
enum class ListEnd : quint8 { Left, Right };

/// LLEN and PTTL; for a detail pane also at most 20 items of that end, unless no payloads are to be
/// read: a list that is turned keeps its length and its weight, so there is nothing to probe. What
/// items weigh is asked first, so that no more of them is read than fits a budget: a list may hold
/// megabytes in one.
std::vector<Command> listReads(const QByteArray& key, ListEnd end, const ReadContext& context);

/// The number of commands that listReads() plans for that.
size_t listReadCount(const ReadContext& context);

/// What their replies tell.
struct ListRead
{
    qint64 length = 0;
    Ttl ttl;
    std::vector<PatternRow> rows; ///< without values, from that end
    std::optional<qint64> itemBytes;
    bool wantsLarge = false; ///< read again, now that the weight is known
    PayloadFacts payloads;   ///< of the rows
};
ListRead listRead(std::span<const Reply> replies, ListEnd end, const ReadContext& context);

/// A pattern with the rows of that list.
PatternState listPattern(ListRead list, PatternState::Rows rowsAre);

/// A row's label: at most 128 bytes of it.
PatternRow rowOf(const QByteArray& whole, std::optional<double> value = std::nullopt);

/// Present or not, healthy unless the layout knows better, read again when its TTL ends.
void finalizePattern(State& state, PatternState pattern, const Ttl& ttl, qint64 nowMs);

} // namespace lk
