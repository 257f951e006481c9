// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/workers/workerpoll.h"

#include "backend/polling/workers/namedworkers.h"

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
    m_control.send({Command{"CLIENT", "LIST", "TYPE", "normal"}}, this,
                   [this](const BatchResult& result) {
                       if (!result)
                           return;
                       m_denied = result->front().isError(); // asked again it fills the ACL LOG
                       if (m_denied)
                           m_clients.reset();
                       else
                           m_clients = clientsFromReply(result->front());
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
