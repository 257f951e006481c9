// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/jobs.h"
#include "backend/redis/protocol/command.h"
#include "backend/redis/protocol/reply.h"

namespace lk {

// Celery keeps no record of its workers in Redis. What can be asked is which have ever been bound
// to the remote control's exchange, and how many listen to it now.

/// Two commands.
std::vector<Command> celeryWorkerReads(const QByteArray& prefix);
/// Of their replies.
struct CeleryWorkers
{
    std::vector<QueueWorker> all;
    bool known = false;         ///< those who have remote control switched off are in no such set
    bool nobodyListens = false; ///< with known: for certain
};
CeleryWorkers celeryWorkersOf(const Reply& members, const Reply& patterns);

} // namespace lk
