// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"
#include "backend/libraries/detect/replyvalues.h"

namespace lk {

// Functions that the patterns' layouts share: they read lists and finalize states.

/// The end of a list from which it is read.
enum class ListEnd : quint8 { Left, Right };

/// Reads LLEN and PTTL. For a detail pane it also reads at most 20 items from that end, unless no
/// payloads are to be read. A list that is rotated keeps its length and its weight, so there is
/// nothing to probe. The weight of the items is read first, so that no more of them are read than
/// fit a budget: a single item may take megabytes.
std::vector<Command> listReads(const QByteArray& key, ListEnd end, const ReadContext& context);

/// Returns the number of commands that listReads() plans for that context.
size_t listReadCount(const ReadContext& context);

/// A list, decoded from the replies to listReads().
struct ListRead
{
    qint64 length = 0;
    Ttl ttl;
    std::vector<PatternRow> rows; ///< without values, from that end
    std::optional<qint64> itemBytes;
    bool wantsLarge = false; ///< true if it is to be read again now that the weight is known
    PayloadFacts payloads;   ///< facts about the rows' payloads
};
ListRead listRead(std::span<const Reply> replies, ListEnd end, const ReadContext& context);

/// Returns a pattern with the rows of that list.
PatternState listPattern(ListRead list, PatternState::Rows rowsAre);

/// Returns a row whose label is at most 128 bytes long.
PatternRow rowOf(const QByteArray& whole, std::optional<double> value = std::nullopt);

/// Sets the presence, the TTL, the size and the health: Ok if the key exists, else Idle. A layout
/// that knows better changes the health afterwards. Schedules the next read for the TTL's end.
void finalizePattern(State& state, PatternState pattern, const Ttl& ttl, qint64 nowMs);

} // namespace lk
