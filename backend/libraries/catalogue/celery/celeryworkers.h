// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/jobs.h"
#include "backend/redis/protocol/command.h"
#include "backend/redis/protocol/reply.h"

namespace lk {

// Celery keeps no record of its workers in Redis. Redis can only report which workers have ever
// been bound to the remote control's exchange, and how many patterns are subscribed to now.

/// Plans two commands.
std::vector<Command> celeryWorkerReads(const QByteArray& prefix);
/// The workers, decoded from the replies to celeryWorkerReads().
struct CeleryWorkers
{
    std::vector<QueueWorker> all;
    bool known = false; ///< false if none is found; workers without remote control are not listed
    bool nobodyListens = false; ///< true only if known is true as well
};
CeleryWorkers celeryWorkersOf(const Reply& members, const Reply& patterns);

} // namespace lk
