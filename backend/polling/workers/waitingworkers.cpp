// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/workers/waitingworkers.h"

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

void readWaitingWorkers(Link& connection, qint64 connections, QObject* context,
                        WaitingWorkersHandler handler)
{
    if (connections > WaitingWorkers::mostConnections) {
        WaitingWorkers waiting;
        waiting.known = WaitingWorkers::Known::TooMany;
        waiting.connections = connections;
        return handler(std::make_shared<const WaitingWorkers>(waiting));
    }
    connection.send({Command{"CLIENT", "LIST", "TYPE", "normal"}}, context,
                    [handler, database = connection.url().database](const BatchResult& result) {
                        if (!result)
                            return;
                        WaitingWorkers waiting;
                        if (result->front().isError()) {
                            waiting.known = WaitingWorkers::Known::Denied;
                            waiting.error = errorFromReply(result->front().text);
                        } else {
                            waiting = waitingAmong(clientsFromReply(result->front()), database);
                        }
                        handler(std::make_shared<const WaitingWorkers>(std::move(waiting)));
                    });
}

} // namespace lk
