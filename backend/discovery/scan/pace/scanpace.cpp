// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/scan/pace/scanpace.h"

namespace lk {

// Another client's 99th percentile stays unaffected as long as fewer than one in a hundred of its
// commands meet a slice. So a scan that asks for little uses few slices, which need not be the
// shortest: each one costs some wakeups on either side. A scan that asks all the time meets every
// client, so only the length of a slice counts. Pauses do not help there: if processors sleep in
// them, other clients wait longer for the wakeup than for a slice.
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
