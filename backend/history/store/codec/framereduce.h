// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/store/codec/blockcodec.h"

namespace lk {

// What a coarser tier keeps of a finer one. Pure; the frames are sorted before and after.

/// Of each primitive the last state of each step.
std::vector<StateFrame> reduced(std::vector<StateFrame> frames, qint64 stepMs);
/// The finest of 1, 3, 6, 12 and 30 times that step which leaves no more states than most; the last
/// of them if none does. Of 10 s up to 5 minutes.
qint64 stepFor(std::span<const StateFrame> frames, qint64 stepMs, size_t most);

/// Of each metric one point a step, in which something changed: a value holds until the next. Where
/// the step ends without a number, a gap after it, to a tenth of the step; a gap that ends within
/// its step is left out.
std::vector<SampleFrame> reduced(const std::vector<SampleFrame>& frames, qint64 stepMs);

} // namespace lk
