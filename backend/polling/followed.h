// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/handle.h"
#include "backend/polling/derived/jobthroughput.h"
#include "backend/polling/derived/patternrates.h"
#include "backend/polling/derived/queueflow.h"

#include <memory>

namespace lk {

/// When a primitive is read next. Used by PollQueue.
struct PollEntry
{
    qint64 dueMs = 0;
    qint64 queuedMs = 0;     ///< the time of its valid entry in the due queue; 0 if none
    quint32 listed : 30 = 0; ///< the position of its valid entry in the dirty list; 0 if none
    bool dirty : 1 = false;
    bool full : 1 = false; ///< the next read is in full detail
};

/// When its payloads are read next. Used by PayloadPace.
struct PayloadEntry
{
    qint64 readMs = 0;         ///< local; when the last payloads arrived; 0 if none have yet
    qint64 probedMs = 0;       ///< local
    qint64 reserved = -1;      ///< bytes, while a read is in progress; -1 if none is
    quint64 epoch = 0;         ///< the change feed's epoch when they were requested
    bool changed = true;       ///< a key that bears on them was written to since then
    bool changedBeside = true; ///< a key that does not bear on them was written to
    bool refresh = false;
    bool waiting = false;
    bool granted = false; ///< in the current polling interval
};

/// Since when its keys are gone. Used by Tombstones.
struct GoneEntry
{
    qint64 sinceMs = 0; ///< server time; 0 if the keys exist
    bool token = false;
    bool listed = false; ///< is in the list of the gone
};

/// Data that only some primitives need: those that have jobs or payloads, are followed over time,
/// or are gone.
struct FollowedApart
{
    std::unique_ptr<PayloadEntry> payloads;    ///< null before their first turn
    std::unique_ptr<QueueFlow> flow;           ///< of a queue; null before its first read
    std::unique_ptr<JobThroughput> throughput; ///< of a queue; null before its first read
    std::unique_ptr<PatternRates> pace;        ///< of a pattern; null before its first read
    GoneEntry gone;
};

/// Everything that is kept of one primitive between reads. Dropping the entry forgets the
/// primitive. Orders and budgets that span several primitives stay with their owners, which skip
/// primitives that are no longer here.
struct Followed
{
    [[no_unique_address]] PollEntry poll;
    bool large = false;   ///< is read by the plan for large values
    bool givenUp = false; ///< too large or denied: is not read again before an outage or a rescan
    bool suspect = false; ///< was in a batch whose reply was too large: is read alone once
    std::unique_ptr<FollowedApart> apart; ///< null if it needs none of that

    FollowedApart& ownApart()
    {
        if (!apart)
            apart = std::make_unique<FollowedApart>();
        return *apart;
    }

    /// Fills in the values that follow from several reads.
    void apply(State& state)
    {
        if (state.kind() == Kind::Queue) {
            FollowedApart& its = ownApart();
            if (!its.flow)
                its.flow = std::make_unique<QueueFlow>();
            its.flow->apply(state);
            if (!its.throughput)
                its.throughput = std::make_unique<JobThroughput>();
            its.throughput->apply(state);
        } else if (state.kind() == Kind::Pattern) {
            FollowedApart& its = ownApart();
            if (!its.pace)
                its.pace = std::make_unique<PatternRates>();
            its.pace->apply(state);
        }
    }
};

// There may be a million of them.
static_assert(sizeof(void*) != 8 || sizeof(Followed) <= 32);

using FollowedTable = HandleTable<Followed>;

} // namespace lk
