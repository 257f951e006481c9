// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

#include <vector>

namespace lk {

/// Where everything of a WindowStrip is at a moment. Pure; lengths in pixels, x from the lane's
/// left end.
struct StripLayout
{
    /// One request of the limiter; tMs is server time. reserved: it lies ahead.
    struct Mark
    {
        qint64 tMs = 0;
        qreal x = 0;
        bool reserved = false;
        int row = 0; ///< marks too close to stand side by side are stacked: row of rows
        int rows = 1;
    };

    qreal width = 0;
    qreal nowX = 0;
    qint64 nowMs = 0;
    qint64 pastMs = 0;        ///< from the left end to now
    qint64 futureMs = 0;      ///< from now to the right end; 0: there is no future
    bool windowKnown = false; ///< false: pastMs fits the stored marks instead
    qreal markWidth = 0;      ///< the width of an accepted mark
    qreal reservedWidth = 0;
    std::vector<Mark> accepted; ///< inside the window, oldest first
    std::vector<Mark> reserved; ///< still ahead, earliest first
    qint64 used = 0;
    std::optional<qint64> limit;
    std::optional<size_t> leavesNext;   ///< the accepted mark that frees the next slot
    std::optional<qint64> nextFreeInMs; ///< only while full
    std::optional<qint64> retryInMs;    ///< only while a client waits

    qreal xOf(qint64 tMs) const;
    bool full() const { return limit && used >= *limit; }
    /// Returns true if there are too many marks to distinguish: draw their number at each place
    /// instead.
    bool dense() const;
};

/// The strip at nowMs of a state that was read at asOfMs. wantFuture keeps room beyond now even
/// where nothing lies there at the moment.
StripLayout layoutStrip(const LimiterState& state, qint64 asOfMs, qint64 nowMs, qreal width,
                        bool wantFuture);

/// True for the algorithms that keep a mark for each request.
bool hasMarks(Algorithm algorithm);

} // namespace lk
