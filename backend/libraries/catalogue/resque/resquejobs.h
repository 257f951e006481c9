// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/jobs.h"
#include "backend/libraries/detect/probe.h"

namespace lk {

// The data that Resque and node-resque write; see resque.cpp.

/// A key's name, split into <space>:<part>:<rest>, for example "resque:queue:mail". The space is
/// empty if the name and type are not those of a key of Resque.
struct ResqueName
{
    QByteArray space;
    QByteArray part; ///< queue, queues, workers, worker, failed, delayed
    QByteArray rest; ///< the queue's name if the key is a queue
};
ResqueName resqueNameOf(const QByteArray& key, KeyType type);

/// Returns the namespace of a key that all queues share. Empty for any other key.
QByteArray resqueSpaceOf(const QByteArray& key);

/// Returns the queue that the key's content names, or one of several. Empty if the key is not
/// Resque's.
QByteArray resqueQueueOf(const ResqueName& name, const Probe& probe);

/// A job, read from Resque's JSON.
struct ResqueJob
{
    JobFacts facts;
    QByteArray queue; ///< empty if the JSON does not name it
};
ResqueJob resqueJobOf(const QByteArray& json);     ///< {class, args[, queue]}
ResqueJob resqueFailureOf(const QByteArray& json); ///< {queue, payload, exception, error, ...}

/// A worker, read from its keys.
struct ResqueWorker
{
    QueueWorker state;
    std::optional<JobFacts> job; ///< the job in progress
    QByteArray queue;            ///< the queue of that job
    QByteArrayList queues;       ///< the queues that it serves; "*" for all

    bool serves(const QByteArray& name) const
    {
        return queues.contains(name) || queues.contains("*");
    }
};
/// member: its name in the set of workers. heartbeat: Resque's own. ping: node-resque's. Either may
/// be missing. working: the value of its key.
ResqueWorker resqueWorkerOf(const QByteArray& member, const QByteArray& heartbeat,
                            const Reply& working, const Reply& ping, qint64 nowMs);
/// Returns "<host>:<pid>" from such a member.
QByteArray resqueWorkerName(const QByteArray& member);

} // namespace lk
