// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/catalogue/celery/celeryjobs.h"

namespace lk {

// The links between Celery's tasks. The headers of a message name the task that sent it and its
// group. The body names the tasks that are sent after it. If Redis is also the result backend, the
// result of a task (celery-task-meta-<id>, JSON with a TTL) names the tasks that it sent.

/// Adds the links of a task. detail: its payload is the message.
void addCeleryLinks(const QByteArray& queue, JobDetail& detail);

/// Returns the key of a task's result.
QByteArray celeryResultKey(const CeleryQueue& queue, const QByteArray& id);
/// Reads the result of a task, whether or not it is in a queue. link: the queue that its links lead
/// to.
Read<JobDetail> readCeleryResult(QByteArray link, QByteArray key, QByteArray id);

} // namespace lk
