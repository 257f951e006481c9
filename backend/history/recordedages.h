// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recorded.h"

namespace lk {

/// Since when what is there now has been there, as far as it was recorded: for who begins to watch.
struct RecordedAges
{
    qint64 untilMs = 0;                                  ///< when it was recorded last
    std::vector<std::pair<PrimitiveId, qint64>> firstMs; ///< when each was detected first
    std::vector<RecordedEvent> unended;    ///< stuck jobs, full limiters, paused queues
    std::vector<RecordedFinding> findings; ///< that were open
};

} // namespace lk

Q_DECLARE_METATYPE(lk::RecordedAges)
