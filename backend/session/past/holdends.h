// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recorded.h"

#include <vector>

namespace lk {

/// How a hold ended, as far as the recording shows.
struct HoldEnd
{
    /// The reason for the end.
    enum class Way : quint8 {
        Open,      ///< held when it was last seen
        Unseen,    ///< the deployment was not watched when it ended
        Expired,   ///< its TTL ended while it was held
        Released,  ///< before its TTL ended; by its owner, or by any client that deleted the key
        TakenOver, ///< the next read found another owner
        ByOperator,
    };
    Way way = Way::Unseen;
    std::optional<RecordedEvent> action; ///< the action of the operator who ended it
    /// The next owner, if it took the lock soon after.
    std::optional<QByteArray> next; ///< empty: the value contains no owner
    qint64 nextAfterMs = 0;
};

/// Returns how each hold ended. All are of one lock, in their order.
std::vector<HoldEnd> holdEnds(const std::vector<RecordedHold>& holds,
                              const std::vector<RecordedEvent>& events);

/// "released", "expired", "operator", "taken-over", "unseen"; empty while it is held. For programs.
QByteArray holdEndId(HoldEnd::Way way);

} // namespace lk
