// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/registry.h"
#include "backend/polling/schedule/pollqueue.h"

#include <functional>

namespace lk {

/// Schedules a full read of every primitive in turn, for changes that no feed reported and for data
/// that only a full read returns. Without a feed, a round takes at most half a minute. With a feed,
/// which may not cover everything, a round takes ten minutes, or longer if that needs more than 25
/// reads a second: a quiet console stays under 100 commands a second, and 100,000 primitives take
/// over an hour. A feed does not report changes from before the server confirmed it, so primitives
/// that were last read before that are read once more, within half a minute. If only some nodes of
/// a cluster have a feed, each primitive is read at the pace of its nodes. Pure except for its
/// position; times are server milliseconds.
class RoundRobinRefresh
{
public:
    /// Returns true if a feed reports changes of the primitive.
    using Fed = std::function<bool(const Primitive&)>;

    /// Call when the feed reports all changes from atMs on, in this epoch. Otherwise the next
    /// everySecond() assumes that the epoch began at the time of that call.
    void epochBegan(quint64 feedEpoch, qint64 atMs);
    /// Call once a second. feedEpoch: ChangeFeed::epoch(); 0 if there is no feed. isFed: empty if
    /// all primitives are alike.
    void everySecond(const Registry& registry, quint64 feedEpoch, qint64 nowMs, PollQueue& queue,
                     const Fed& isFed = {});
    /// Returns the length of a round over that many primitives, in milliseconds.
    static qint64 roundMs(qsizetype primitives, bool fed);

private:
    static void readNext(const Registry& registry, int count, const Fed& wanted, quint32& last,
                         PollQueue& queue);
    void readApart(const Registry& registry, const Fed& isFed, PollQueue& queue);
    void readOlder(const Registry& registry, PollQueue& queue);

    quint32 m_last = 0;    ///< the registry place that was read last
    quint32 m_lastFed = 0; ///< the same for the fed primitives, if others are not fed
    qsizetype m_unfed = 0; ///< how many were not fed at the last count
    int m_countIn = 0;     ///< seconds
    quint64 m_epoch = 0;   ///< the feed's epoch at the last call
    qint64 m_epochBeganMs = 0;
    quint64 m_toldEpoch = 0; ///< the last epoch passed to epochBegan(), and when it began
    qint64 m_toldMs = 0;
    quint32 m_nextOlder = 0; ///< next place of the pass over older reads, below m_endOlder
    quint32 m_endOlder = 0;
};

} // namespace lk
