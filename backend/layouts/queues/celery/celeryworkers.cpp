// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/layouts/queues/celery/celeryworkers.h"

#include "backend/layouts/queues/celery/celerynames.h"
#include "backend/layouts/replyvalues.h"

namespace lk {

namespace {
constexpr int databases = 16; // of a server as it is shipped: the channels' names have the number
} // namespace

std::vector<Command> celeryWorkerReads(const QByteArray& prefix)
{
    Command listeners{"PUBSUB", "NUMSUB"};
    for (int database = 0; database < databases; ++database)
        listeners << prefix + '/' + QByteArray::number(database) + ".celery.pidbox";
    return {{"SSCAN", prefix + "_kombu.binding.celery.pidbox", "0", "COUNT", "50"},
            std::move(listeners)};
}

// SSCAN's reply is {cursor, {member, ...}}, PUBSUB's {channel, number, ...}.
CeleryWorkers celeryWorkersOf(const Reply& members, const Reply& listeners)
{
    CeleryWorkers workers;
    qint64 listening = 0;
    for (size_t i = 1; i < listeners.items.size(); i += 2)
        listening += integerOf(listeners.items[i]).value_or(0);
    if (members.items.size() < 2 || listeners.isError())
        return workers;
    const std::vector<Reply>& names = members.items[1].items;
    for (const Reply& member : names) {
        QueueWorker worker;
        worker.name = celeryWorkerIn(member.text);
        worker.host = worker.name.mid(worker.name.indexOf('@') + 1);
        // How many live is known, not which: those that died are still in the set.
        if (listening == 0)
            worker.alive = false;
        else if (listening >= qint64(names.size()))
            worker.alive = true;
        if (!worker.name.isEmpty())
            workers.all.push_back(std::move(worker));
    }
    workers.known = !workers.all.empty();
    workers.someListen = workers.known && listening > 0;
    workers.nobodyListens = workers.known && listening == 0;
    return workers;
}

} // namespace lk
