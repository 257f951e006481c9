// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/layouts/layout.h"

namespace lk {

// A read, planned and decoded: pure, whoever sends the commands.

/// One primitive to be read.
struct ReadRequest
{
    Handle handle = noHandle;
    PrimitivePtr primitive;
    StatePtr previous; ///< null on first sight
    Depth depth = Depth::Summary;
    bool large = false; ///< it was too big for the short plan the last time
    PayloadRead payloads = PayloadRead::Full;
    bool unchanged = false; ///< see ReadContext
    StatePtr firstRead; ///< in the second round of one look: what the first one brought
};

struct ReadOutcome
{
    Handle handle = noHandle;
    State state;
    bool large = false; ///< to be passed in the next request
    PayloadRead payloads = PayloadRead::None; ///< what of them was asked for
    qint64 bytes = 0;                         ///< that the replies brought, without their framing
};

/// The commands that read it; none where its layout is not known.
std::vector<Command> planRead(const ReadRequest& request, qint64 nowMs);

/// Decodes replies into an outcome; never fails: what cannot be decoded becomes a problem state.
ReadOutcome decodeState(const ReadRequest& request, std::span<const Command> plan,
                        std::span<const Reply> replies, qint64 nowMs, bool* wantsLarge);

/// Decodes a primitive from the answers of its probe alone; nothing where they do not suffice.
std::optional<ReadOutcome> decodeFromProbe(const ReadRequest& request, const Probe& probe);

} // namespace lk
