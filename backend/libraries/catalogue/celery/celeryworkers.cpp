// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/catalogue/celery/celeryworkers.h"

#include "backend/libraries/catalogue/celery/celerynames.h"
#include "backend/libraries/detect/replyvalues.h"

namespace lk {

std::vector<Command> celeryWorkerReads(const QByteArray& prefix)
{
    return {{"SSCAN", prefix + "_kombu.binding.celery.pidbox", "0", "COUNT", "50"},
            {"PUBSUB", "NUMPAT"}};
}

// SSCAN's reply is {cursor, {member, ...}}.
CeleryWorkers celeryWorkersOf(const Reply& members, const Reply& patterns)
{
    CeleryWorkers workers;
    if (members.items.size() < 2 || !patterns.isInteger())
        return workers;
    workers.nobodyListens = patterns.integer == 0;
    for (const Reply& member : members.items[1].items) {
        QueueWorker worker;
        worker.name = celeryWorkerIn(member.text);
        worker.host = worker.name.mid(worker.name.indexOf('@') + 1);
        // NUMPAT does not say which clients have subscribed. Only its zero is certain.
        if (workers.nobodyListens)
            worker.alive = false;
        if (!worker.name.isEmpty())
            workers.all.push_back(std::move(worker));
    }
    workers.known = !workers.all.empty();
    workers.nobodyListens = workers.nobodyListens && workers.known;
    return workers;
}

} // namespace lk
