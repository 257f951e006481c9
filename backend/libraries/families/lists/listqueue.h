// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/plannedlayout.h"

namespace lk {

// A queue of lists, independent of key names. Consumers take from the right end of "ready" and keep
// jobs in progress in "processing". "dead" is also a list, "delayed" a sorted set by due time.

ActionList listQueueActions();
std::vector<Command> listQueueReads(const Primitive& primitive, const ReadContext& context);
DecodeResult listQueueRead(const Primitive& primitive, std::span<const Reply> replies,
                           const ReadContext& context);

} // namespace lk
