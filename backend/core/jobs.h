// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"
#include "backend/core/handle.h"

#include <QByteArray>

#include <memory>
#include <optional>
#include <vector>

namespace lk {

/// One job of a queue. Its whole payload is read only where a person asks to see it.
struct QueueItem
{
    QByteArray preview;                ///< at most 512 bytes of the payload
    qint64 size = 0;                   ///< of the whole payload, bytes
    quint64 fingerprint = 0;           ///< of the whole payload
    std::optional<qint64> firstSeenMs; ///< when this console first saw it in processing
    QByteArray key = {};               ///< which of the queue's keys holds it
    std::optional<qint64> dueMs = {};  ///< of a delayed job: when it is due, as far as scores tell
};

/// Tells one payload from another.
quint64 fingerprintOf(const QByteArray& payload);

/// The job of that payload, held by that key.
QueueItem queueItemOf(const QByteArray& payload, const QByteArray& key);

/// One of the states that the jobs of a queue go through, by the library's own name.
struct JobState
{
    QByteArray name;             ///< "in-progress"
    QByteArray role;             ///< "ready", "processing", "delayed", "dead", "done" or "paused"
    std::optional<qint64> count; ///< empty: unknown

    bool operator==(const JobState&) const = default;
};
QString jobStateTitle(const JobState& state); ///< "In progress"; translated

/// A job as it was read.
struct StoredJob
{
    QByteArray key;
    QByteArray payload;
    std::optional<qint64> dueMs = {};
};

/// The jobs of one state of one queue, those that come next first; bounded.
struct JobPage
{
    Handle handle;    ///< of the queue in its session
    QByteArray state; ///< JobState::name
    std::vector<QueueItem> jobs;
    qint64 bytes = 0;             ///< what reading them brought
    std::optional<Error> problem; ///< why there are none
};
using JobPagePtr = std::shared_ptr<const JobPage>;

/// The whole payload of one job.
struct JobPayload
{
    Handle handle;
    QByteArray state;
    quint64 fingerprint = 0;
    QByteArray payload;
    std::optional<Error> problem; ///< why it is not there
};
using JobPayloadPtr = std::shared_ptr<const JobPayload>;

} // namespace lk
