// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"
#include "backend/libraries/api/primitiveread.h"
#include "backend/redis/link.h"

namespace lk {

/// The result of one round of reads. After an error, unread contains the requests that have no
/// outcome.
struct ReadRound
{
    std::vector<ReadOutcome> outcomes;
    std::vector<ReadRequest> unread; ///< after an error: the requests without an outcome
    std::optional<Error> error;
    qint64 serverMs = 0;   ///< server time of the last batch: by TIME, else estimated
    bool timed = false;    ///< serverMs was read by TIME
    qint64 sentMs = 0;     ///< local; when the last batch was sent
    qint64 receivedMs = 0; ///< local
    qint64 commands = 0;   ///< of all batches
};

using ReadHandler = std::function<void(ReadRound)>;

/// Reads the primitives in one pipelined batch to each node that holds some of them. Each batch
/// begins with TIME if the user may send it. Primitives that need a further step are read in a
/// further batch. The caller limits the number of requests. Calls the handler once, as
/// Connection::send() promises.
void readPrimitives(Link& link, std::vector<ReadRequest> requests, const ServerClock& clock,
                    const Clock& local, QObject* context, ReadHandler handler);

} // namespace lk
