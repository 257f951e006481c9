// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/store/codec/blockcodec.h"

namespace lk {

// Reduces frames of a finer tier to those of a coarser one. Pure; the frames are sorted before and
// after.

/// Keeps the last state of each primitive in each step.
std::vector<StateFrame> reduced(std::vector<StateFrame> frames, qint64 stepMs);
/// Returns the smallest of 1, 3, 6, 12 and 30 times stepMs that leaves no more than most states, or
/// the largest if none does. For 10 s that is up to 5 minutes.
qint64 stepFor(std::span<const StateFrame> frames, qint64 stepMs, size_t most);

/// Keeps one point of each metric for each step with a change; a value holds until the next. If a
/// step ends without a number, adds a gap, exact to a tenth of the step. Omits a gap that ends
/// within its step.
std::vector<SampleFrame> reduced(const std::vector<SampleFrame>& frames, qint64 stepMs);

} // namespace lk
