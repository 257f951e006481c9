// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lk {

// The fixed measures of a WindowStrip, in pixels.
inline constexpr int stripMargin = 2;
inline constexpr int stripLaneHeight = 32;
inline constexpr int stripLeader = 8; ///< between the captions and the lane
inline constexpr int stripTick = 5;   ///< between the lane and the scale's labels

} // namespace lk
