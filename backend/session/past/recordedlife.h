// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recordqueries.h"
#include "backend/session/past/holdends.h"

namespace lk {

/// The recorded data about one primitive between two moments.
struct RecordedLife
{
    std::vector<RecordedHold> holds;
    std::vector<HoldEnd> ends;         ///< how the holds ended
    std::vector<RecordedEvent> events; ///< the latest ones, more than a user reads
    std::vector<RecordedGap> gaps;     ///< when its deployment was not recorded
};

/// Server time in milliseconds. Reads the file: not in the GUI thread.
RecordedLife readLife(RecordQueries& queries, const RecordedId& id, qint64 fromMs, qint64 toMs);

} // namespace lk
