// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recorded.h"

namespace lk {

/// Since when the present primitives, conditions and findings exist, as far as recorded. Used when
/// the console begins to watch a deployment.
struct RecordedAges
{
    qint64 untilMs = 0;                                  ///< the time of the last record
    std::vector<std::pair<PrimitiveId, qint64>> firstMs; ///< when each was first detected
    std::vector<RecordedEvent> unended;    ///< stuck jobs, full limiters, paused queues
    std::vector<RecordedFinding> findings; ///< open at the last record
};

} // namespace lk

Q_DECLARE_METATYPE(lk::RecordedAges)
