// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/registry.h"
#include "backend/polling/schedule/pollqueue.h"

namespace lk {

/// Has every primitive read again in its turn, in full, for changes that nobody told of and for
/// what only a full read finds: within half a minute without a feed. With one, which may not cover
/// all, within ten minutes as long as that takes no more than 30 a second: a quiet console stays
/// under 100 commands a second, and 100,000 primitives take about an hour. A feed tells nothing of
/// what happened before the server confirmed it: what was last read before that is read once more,
/// within half a minute. Pure but for where it stands; times are server milliseconds.
class RoundRobinRefresh
{
public:
    /// Once a second. feedEpoch: ChangeFeed::epoch(); 0: no feed.
    void everySecond(const Registry& registry, quint64 feedEpoch, qint64 nowMs, PollQueue& queue);
    /// Milliseconds in which each of so many has its turn.
    static qint64 roundMs(qsizetype primitives, bool fed);

private:
    void readNext(const Registry& registry, bool fed, PollQueue& queue);
    void readOlder(const Registry& registry, PollQueue& queue);

    quint32 m_last = 0;  ///< these three: places in the registry
    quint64 m_epoch = 0; ///< of the feed, at the last call
    qint64 m_epochBeganMs = 0;
    quint32 m_nextOlder = 0; ///< below m_endOlder: where the pass over what is older stands
    quint32 m_endOlder = 0;
};

} // namespace lk
