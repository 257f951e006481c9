// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/jobs.h"
#include "backend/libraries/detect/probe.h"

namespace lk {

// What Resque and node-resque write; see resque.cpp.

/// A key by its parts: <space>:<part>:<rest>, as "resque:queue:mail". Empty space: none of Resque's
/// by its name and type.
struct ResqueName
{
    QByteArray space;
    QByteArray part; ///< queue, queues, workers, worker, failed, delayed
    QByteArray rest; ///< of a queue its name
};
ResqueName resqueNameOf(const QByteArray& key, KeyType type);

/// The namespace of a key that a single queue does not have to itself; empty: it is none of those.
QByteArray resqueSpaceOf(const QByteArray& key);

/// The queue that the content of that key tells of, or one of them; empty: it is not Resque's.
QByteArray resqueQueueOf(const ResqueName& name, const Probe& probe);

/// A job as Resque's JSON tells it.
struct ResqueJob
{
    JobFacts facts;
    QByteArray queue; ///< empty: not told
};
ResqueJob resqueJobOf(const QByteArray& json);     ///< {class, args[, queue]}
ResqueJob resqueFailureOf(const QByteArray& json); ///< {queue, payload, exception, error, ...}

/// A worker, as its keys tell.
struct ResqueWorker
{
    QueueWorker state;
    std::optional<JobFacts> job; ///< what it works on
    QByteArray queue;            ///< of that job
    QByteArrayList queues;       ///< that it takes jobs of; "*": of all

    bool serves(const QByteArray& name) const
    {
        return queues.contains(name) || queues.contains("*");
    }
};
/// member: as in the set of workers. heartbeat: Resque's own; ping: node-resque's; either may be
/// missing. working: the value of its key.
ResqueWorker resqueWorkerOf(const QByteArray& member, const QByteArray& heartbeat,
                            const Reply& working, const Reply& ping, qint64 nowMs);
/// "<host>:<pid>" of such a member.
QByteArray resqueWorkerName(const QByteArray& member);

} // namespace lk
