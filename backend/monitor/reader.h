// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"
#include "backend/core/snapshot.h"
#include "backend/layouts/layout.h"
#include "backend/redis/connection.h"

namespace lk {

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
    StatePtr firstLook; ///< in the second round of one look: what the first one brought
};

struct ReadOutcome
{
    Handle handle = noHandle;
    State state;
    bool large = false; ///< to be passed in the next request
    PayloadRead payloads = PayloadRead::None; ///< what of them was asked for
    qint64 bytes = 0;                         ///< that the replies brought, without their framing
};

/// What a round of reading brought.
struct ReadRound
{
    std::vector<ReadOutcome> outcomes;
    std::vector<ReadRequest> again; ///< cut short: to be read again, with large set
    qint64 serverMs = 0;            ///< TIME of the batch; without it, as well as it is known
    bool timed = false;             ///< serverMs is TIME's
    qint64 sentMs = 0;              ///< local
    qint64 receivedMs = 0;          ///< local
    qint64 commands = 0;
};

using ReadHandler = std::function<void(Result<ReadRound>)>;

/// Reads the primitives in one pipelined batch, headed by TIME where the user may send it. Bounded by the number of
/// requests; the caller cuts. The handler comes as Connection::send() promises.
void readPrimitives(Connection& connection, std::vector<ReadRequest> requests,
                    const ServerClock& clock, const Clock& local, QObject* context,
                    ReadHandler handler);

/// How many commands the requests would cost, TIME aside.
qint64 readCost(const std::vector<ReadRequest>& requests, qint64 nowMs);

/// Decodes replies into an outcome; never fails: what cannot be decoded becomes a problem state.
ReadOutcome decodeState(const ReadRequest& request, std::span<const Command> plan,
                        std::span<const Reply> replies, qint64 nowMs, bool* wantsLarge);

/// Decodes a primitive from the answers of its probe alone; nothing where they do not suffice.
std::optional<ReadOutcome> decodeFromProbe(const ReadRequest& request, const Probe& probe);

} // namespace lk
