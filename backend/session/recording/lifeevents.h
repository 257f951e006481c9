// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/recording/lockholds.h"

namespace lk {

/// The number of jobs that have reached a state, recorded once a minute at most, since jobs move
/// all the time.
struct JobMoves
{
    qint64 count = -1; ///< last count read; -1: not known
    qint64 untold = 0; ///< change that is not recorded yet
    qint64 toldMs = 0;
};

/// The data kept per primitive to record its life. Small, since every primitive has one.
struct Life
{
    LockHolds holds;
    qint64 readMs = 0;
    qint64 fullMs = 0;         ///< since when a limiter is full; 0: it is not
    qint64 clearMs = 0;        ///< since when it is clear, which is not recorded yet; 0: it is full
    qint64 stuckMs = 0;        ///< since when jobs are stuck; 0: none is
    qint64 pausedMs = 0;       ///< since when a queue is paused; 0: it is not
    bool pausedBefore = false; ///< it was paused when it was first read
    std::optional<qint64> dead; ///< failed jobs of a queue
    JobMoves delayed;
    JobMoves done;
    qint64 vanishedMs = 0; ///< since when none of its keys exists; 0: one exists
    bool live = false;     ///< a token that was seen live, or never issued, and has not ended
};

/// Adds to the batch the primitive's events since the last read. id: its id in the recording.
/// Ignores a state that could not be read.
void addLife(Life& life, const PrimitiveId& id, const State& now, RecordBatch& batch);

/// Ends a life because the primitive is gone or no longer watched: ends its spans or leaves them
/// open.
void endLife(Life& life, const PrimitiveId& id, Kind kind, qint64 atMs, RecordBatch& batch);

/// Records events that need time. A limiter that is clear for a moment only is full again at once,
/// so it is recorded as clear after it has been so for long enough. A hold is recorded once it has
/// lasted. Returns true if there is still something to record later.
bool advanceLife(Life& life, const PrimitiveId& id, qint64 nowMs, RecordBatch& batch);

/// Returns the same as advanceLife() without recording anything.
bool isPending(const Life& life);

} // namespace lk
