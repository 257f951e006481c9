// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/workers/waitingworkers.h"

#include "backend/redis/topology/askclients.h"

#include <algorithm>

namespace lk {

WaitingWorkers waitingAmong(const std::vector<ClientEntry>& clients, int database)
{
    WaitingWorkers waiting;
    for (const ClientEntry& client : clients) {
        if (client.database == database && waitsForList(client))
            waiting.clients.push_back(client);
    }
    waiting.total = qint64(waiting.clients.size());
    std::stable_sort(
        waiting.clients.begin(), waiting.clients.end(),
        [](const ClientEntry& a, const ClientEntry& b) { return a.idleSeconds > b.idleSeconds; });
    if (waiting.clients.size() > WaitingWorkers::mostShown)
        waiting.clients.resize(WaitingWorkers::mostShown);
    return waiting;
}

void readWaitingWorkers(Link& link, qint64 connections, QObject* context,
                        WaitingWorkersHandler handler)
{
    if (connections > WaitingWorkers::mostConnections) {
        WaitingWorkers waiting;
        waiting.known = WaitingWorkers::Known::TooMany;
        waiting.connections = connections;
        return handler(std::make_shared<const WaitingWorkers>(waiting));
    }
    launch(queryClients(link, context), [handler, database = link.url().database](
                                            const Result<std::vector<ClientEntry>>& clients) {
        WaitingWorkers waiting;
        if (clients) {
            waiting = waitingAmong(*clients, database);
        } else if (clients.error().code == ErrorCode::NodeDown) {
            return;
        } else {
            waiting.known = WaitingWorkers::Known::Denied;
            waiting.error = clients.error();
        }
        handler(std::make_shared<const WaitingWorkers>(std::move(waiting)));
    });
}

} // namespace lk
