// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"
#include "backend/libraries/api/read.h"
#include "backend/redis/link.h"

namespace lk {

/// What a round of reading brought: for each request an outcome, or with an error none.
struct ReadRound
{
    std::vector<ReadOutcome> outcomes;
    std::vector<ReadRequest> unread; ///< with an error: what was still under way
    std::optional<Error> error;
    qint64 serverMs = 0;   ///< TIME of the last batch; without it, as well as it is known
    bool timed = false;    ///< serverMs is TIME's
    qint64 sentMs = 0;     ///< local; of the last batch
    qint64 receivedMs = 0; ///< local
    qint64 commands = 0;   ///< of all batches
};

using ReadHandler = std::function<void(ReadRound)>;

/// Reads the primitives in one pipelined batch to each node that has some of them, headed by TIME
/// where the user may send it, and those that go a further step in a second. Bounded by the number
/// of requests; the caller cuts. The handler comes once, as Connection::send() promises.
void readPrimitives(Link& link, std::vector<ReadRequest> requests, const ServerClock& clock,
                    const Clock& local, QObject* context, ReadHandler handler);

} // namespace lk
