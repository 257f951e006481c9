// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/handle.h"
#include "backend/polling/derived/jobthroughput.h"
#include "backend/polling/derived/patternrates.h"
#include "backend/polling/derived/queueflow.h"

#include <memory>

namespace lk {

/// When a primitive is read next. PollQueue's.
struct PollEntry
{
    qint64 dueMs = 0;
    qint64 queuedMs = 0;     ///< of its one place among the due that counts; 0: there is none
    quint32 listed : 30 = 0; ///< its one place among the dirty that counts; 0: there is none
    bool dirty : 1 = false;
    bool full : 1 = false; ///< is to be read with all its detail
};

/// When its payloads are read next. PayloadPace's.
struct PayloadEntry
{
    qint64 readMs = 0;         ///< local; of the last payloads that came; 0: none yet
    qint64 probedMs = 0;       ///< local
    qint64 reserved = -1;      ///< bytes, while a read is under way; -1: none is
    quint64 epoch = 0;         ///< of the feed, when they were asked for
    bool changed = true;       ///< since then
    bool changedBeside = true; ///< a key whose payloads a row does not need; in its own time
    bool refresh = false;
    bool waiting = false;
    bool granted = false; ///< at the present tick
};

/// Since when its keys are gone. Tombstones'.
struct GoneEntry
{
    qint64 sinceMs = 0; ///< server time; 0: they are there
    bool token = false;
    bool listed = false; ///< stands among the gone
};

/// What only those need that have jobs or payloads, are followed over time, or are gone.
struct FollowedApart
{
    std::unique_ptr<PayloadEntry> payloads;    ///< of what has any; null before its first turn
    std::unique_ptr<QueueFlow> flow;           ///< of a queue; null before its first read
    std::unique_ptr<JobThroughput> throughput; ///< the same
    std::unique_ptr<PatternRates> pace;        ///< the same of a pattern
    GoneEntry gone;
};

/// All that is kept of one primitive from one read to the next: dropping it is dropping its entry.
/// Orders and budgets over all of them are kept by those whose they are, and pass over what is no
/// longer there.
struct Followed
{
    [[no_unique_address]] PollEntry poll;
    bool large = false;   ///< read by the plan for big values
    bool givenUp = false; ///< too large or denied: not read again before an outage or a rescan
    bool suspect = false; ///< one of a batch whose reply was too large: is read alone once
    std::unique_ptr<FollowedApart> apart; ///< null: it has nothing of that

    FollowedApart& ownApart()
    {
        if (!apart)
            apart = std::make_unique<FollowedApart>();
        return *apart;
    }

    /// Fills in what several reads tell together.
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

// There are a million of them.
static_assert(sizeof(void*) != 8 || sizeof(Followed) <= 32);

using FollowedTable = HandleTable<Followed>;

} // namespace lk
