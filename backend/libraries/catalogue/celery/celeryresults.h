// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/catalogue/celery/celeryjobs.h"

namespace lk {

// What Celery tells of a task besides its message: the message's headers name the task that sent it
// and its group, its body what is sent after it, and where Redis keeps results, too, the one of a
// task names those that it sent (celery-task-meta-<id>, JSON with a TTL).

/// Links a task to these. detail: with the message as its payload.
void addCeleryLinks(const QByteArray& queue, JobDetail& detail);

/// Where the result of a task is.
QByteArray celeryResultKey(const CeleryQueue& queue, const QByteArray& id);
/// A task by its id, whether or not it is in a queue: its result. See Layout::jobDetailReads().
std::vector<Command> celeryResultReads(const CeleryQueue& queue, const QByteArray& id,
                                       std::span<const Reply> replies);
/// link: the queue that its links lead to.
JobDetail celeryResult(const QByteArray& link, const QByteArray& id,
                       std::span<const Reply> replies);

} // namespace lk
