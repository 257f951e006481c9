// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionsearch.h"

#include "backend/core/names/keyname.h"
#include "backend/session/ask.h"
#include "backend/session/monitor/monitor.h"
#include "backend/session/search/primitivesearch.h"
#include "backend/session/sessionstates.h"

namespace lk {

SessionSearch::SessionSearch(const SessionStates& states, Monitor* monitor,
                             const HandleTable<KeptState>& searched, QThread* workerThread)
    : m_states(states)
    , m_monitor(monitor)
    , m_search(new PrimitiveSearch(searched))
{
    m_search->moveToThread(workerThread);
    connect(m_search, &PrimitiveSearch::found, this, &SessionSearch::found);
    if (m_monitor)
        connect(&m_monitor->jobLookup(), &JobLookup::found, this, &SessionSearch::jobsFound);
}

SessionSearch::~SessionSearch()
{
    m_search->deleteLater();
}

void SessionSearch::find(const QString& text)
{
    ask(m_search, [text](PrimitiveSearch& search) { search.search(text); });
}

void SessionSearch::findJob(const QString& id)
{
    std::vector<std::pair<Handle, PrimitivePtr>> queues;
    for (const auto& [handle, state] : m_states.all()) {
        if (state.kind() == Kind::Queue)
            queues.emplace_back(handle, state.primitive());
    }
    ask(m_monitor, [queues = std::move(queues), bytes = bytesFromDisplay(id)](Monitor& m) {
        m.jobLookup().find(bytes, queues);
    });
}

} // namespace lk
