// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/plannedlayout.h"

namespace lk {

// A queue of lists, whichever names its keys have: consumers take from the right end of "ready" and
// keep what they work on in "processing"; "dead" is a list, too, "delayed" a sorted set by due
// time.

ActionList listQueueActions();
std::vector<Command> listQueueReads(const Primitive& primitive, const ReadContext& context);
DecodeResult listQueueRead(const Primitive& primitive, std::span<const Reply> replies,
                           const ReadContext& context);

} // namespace lk
