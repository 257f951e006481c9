// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/registry.h"
#include "backend/polling/schedule/pollqueue.h"

#include <functional>

namespace lk {

/// Has every primitive read again in its turn, in full, for changes that nobody told of and for
/// what only a full read finds: within half a minute without a feed. With one, which may not cover
/// all, within ten minutes as long as that takes no more than 25 a second: a quiet console stays
/// under 100 commands a second, and 100,000 primitives take over an hour. A feed tells nothing of
/// what happened before the server confirmed it: what was last read before that is read once more,
/// within half a minute. Where some nodes of a cluster have a feed and others have none, each
/// primitive is read as those on its nodes. Pure but for where it stands; times are server
/// milliseconds.
class RoundRobinRefresh
{
public:
    /// Whether changes of that one are told.
    using Fed = std::function<bool(const Primitive&)>;

    /// The feed tells of all that happens from then on, in that epoch of it; else the next call of
    /// everySecond() takes it to have begun just then.
    void epochBegan(quint64 feedEpoch, qint64 atMs);
    /// Once a second. feedEpoch: ChangeFeed::epoch(); 0: no feed. isFed: empty where all are alike.
    void everySecond(const Registry& registry, quint64 feedEpoch, qint64 nowMs, PollQueue& queue,
                     const Fed& isFed = {});
    /// Milliseconds in which each of so many has its turn.
    static qint64 roundMs(qsizetype primitives, bool fed);

private:
    static void readNext(const Registry& registry, int count, const Fed& wanted, quint32& last,
                         PollQueue& queue);
    void readApart(const Registry& registry, const Fed& isFed, PollQueue& queue);
    void readOlder(const Registry& registry, PollQueue& queue);

    quint32 m_last = 0;    ///< place in the registry: that was read last
    quint32 m_lastFed = 0; ///< the same of those that are fed, where others are not
    qsizetype m_unfed = 0; ///< how many were not when they were counted last
    int m_countIn = 0;     ///< seconds
    quint64 m_epoch = 0;   ///< of the feed, at the last call
    qint64 m_epochBeganMs = 0;
    quint64 m_toldEpoch = 0; ///< the last that was told to have begun, and when
    qint64 m_toldMs = 0;
    quint32 m_nextOlder = 0; ///< below m_endOlder: where the pass over what is older stands; places
    quint32 m_endOlder = 0;
};

} // namespace lk
