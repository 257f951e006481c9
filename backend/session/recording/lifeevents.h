// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/recording/lockholds.h"

namespace lk {

/// How many jobs have come to a state, recorded once a minute at most: they move all the time.
struct JobMoves
{
    qint64 count = -1; ///< as read last; -1: not known
    qint64 untold = 0; ///< by how many it has changed since
    qint64 toldMs = 0;
};

/// What is remembered of one primitive in order to tell its life. Small: there is one for each.
struct Life
{
    LockHolds holds;
    qint64 readMs = 0;
    qint64 fullMs = 0;   ///< since when a limiter is full; 0: it is not
    qint64 clearMs = 0;  ///< since when it is not any more, which is not recorded yet; 0: it is
    qint64 stuckMs = 0;  ///< since when jobs are stuck; 0: none is
    qint64 pausedMs = 0; ///< since when a queue is paused; 0: it is not
    bool pausedBefore = false;  ///< it was when it was read first
    std::optional<qint64> dead; ///< failed jobs of a queue
    JobMoves delayed;
    JobMoves done;
    qint64 vanishedMs = 0; ///< since when none of its keys is there; 0: one is
    bool live = false;     ///< a token that was seen live, or never issued, and has not ended
};

/// Adds to the batch what has happened to the primitive since it was read last. id: as it is
/// recorded. A state that could not be read tells nothing.
void addLife(Life& life, const PrimitiveId& id, const State& now, RecordBatch& batch);

/// It is gone, or nobody looks any more: what lasts ends, or is left open.
void endLife(Life& life, const PrimitiveId& id, Kind kind, qint64 atMs, RecordBatch& batch);

/// A limiter that was let go for a moment is full again at once: it is recorded as clear when
/// it has been for long enough. A hold is told when it has lasted. True: there is still something
/// to tell later.
bool advanceLife(Life& life, const PrimitiveId& id, qint64 nowMs, RecordBatch& batch);

/// The same, without anything having happened since.
bool isPending(const Life& life);

} // namespace lk
