// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/workers/workerpoll.h"

#include "backend/polling/workers/namedworkers.h"
#include "backend/redis/topology/askclients.h"

namespace lk {

WorkerPoll::WorkerPoll(Link& control, QObject* parent)
    : QObject(parent)
    , m_control(control)
{}

void WorkerPoll::everySecond()
{
    ++m_seconds;
    if (!m_wanted || m_denied || m_seconds < everySeconds || m_connections > mostConnections)
        return;
    m_seconds = 0;
    launch(queryClients(m_control, this), [this](const Result<std::vector<ClientEntry>>& clients) {
        if (!clients && clients.error().code == ErrorCode::NodeDown)
            return;
        m_denied = !clients; // repeated requests would fill the ACL LOG
        if (m_denied)
            m_clients.reset();
        else
            m_clients = *clients;
    });
}

void WorkerPoll::apply(State& state)
{
    if (!hasNamedWorkers(state))
        return;
    m_wanted = true;
    if (m_clients)
        takeNamedWorkers(state, *m_clients);
}

} // namespace lk
