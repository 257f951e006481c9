// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/scan/pace/scanpace.h"

namespace lk {

// Another client's 99th percentile is that of an hour alone as long as fewer than one in a hundred
// of its commands meet a slice. So what asks for little asks in few slices, which need not be the
// shortest: each one, however short, is some wakeups on either side. What asks all the time meets
// everybody: there only the length of a slice counts, and pauses are of no use: where processors
// go to sleep in them, others wait longer for these to wake than they would for a slice.
ScanBounds boundsOf(ScanPace pace, bool busy)
{
    switch (pace) {
    case ScanPace::Polite:
        return {.commandsPerSecond = 1000, .longestUs = busy ? 1200.0 : 600.0, .pauseShare = 8};
    case ScanPace::Fast:
        return {.longestUs = busy ? 30.0 : 60.0};
    case ScanPace::Normal:
        break;
    }
    if (busy)
        return {.commandsPerSecond = 1500, .longestUs = 1200, .pauseShare = 2};
    return {.commandsPerSecond = 5000, .longestUs = 600, .pauseShare = 2};
}

ScanBounds boundsBesideOthers()
{
    return {.longestUs = 20};
}

} // namespace lk
