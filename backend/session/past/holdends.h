// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recorded.h"

#include <vector>

namespace lk {

/// How a hold ended, as far as a recording tells.
struct HoldEnd
{
    /// By what it ended.
    enum class Way : quint8 {
        Open,      ///< held when it was last seen
        Unseen,    ///< nobody looked when it ended
        Expired,   ///< its TTL ended while it was held
        Released,  ///< before its TTL ended; by its owner, or by any client that deleted the key
        TakenOver, ///< the next read found another owner
        ByOperator,
    };
    Way way = Way::Unseen;
    std::optional<RecordedEvent> action; ///< of the operator who ended it
    /// Who had it next, if that was soon after.
    std::optional<QByteArray> next; ///< empty: the value tells none
    qint64 nextAfterMs = 0;
};

/// How each of these ended, which are of one lock and in their order.
std::vector<HoldEnd> holdEnds(const std::vector<RecordedHold>& holds,
                              const std::vector<RecordedEvent>& events);

/// "released", "expired", "operator", "taken-over", "unseen"; empty while it is held. For programs.
QByteArray holdEndId(HoldEnd::Way way);

} // namespace lk
