// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace lk {

// How RQ's keys are named: rq:queue:<queue>, a registry rq:<registry>:<queue>, rq:job:<id>,
// rq:worker:<name>. The library has no option for a prefix; those who share a server set its
// class attributes, so that something may stand before "rq:". Checked against keys of RQ 1.13.

/// A key's name, taken apart: "rq:queue:default".
struct RqName
{
    QByteArray stem;  ///< "acme:rq:"; empty if the name is not one of RQ's
    QByteArray part;  ///< "queue", "wip", "job", "queues"
    QByteArray queue; ///< the queue's name; empty if the key does not belong to one queue
    QByteArray id;    ///< the id of a job or a worker
};
RqName rqNameOf(const QByteArray& name);

QByteArray rqQueueKey(const QByteArray& stem, const QByteArray& queue);
QByteArray rqJobKey(const QByteArray& stem, const QByteArray& id);

/// Returns the job of a registry's member. Since RQ 2 the member of a job in progress is
/// "<job>:<execution>".
QByteArray rqJobIdOf(const QByteArray& member);

} // namespace lk
