// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/jobs/joblookup.h"

#include "backend/libraries/api/layout.h"
#include "backend/polling/jobs/jobreading.h"

#include <algorithm>

namespace lk {

JobLookup::JobLookup(Link& connection, QObject* parent)
    : QObject(parent)
    , m_connection(connection)
{}

void JobLookup::find(const QByteArray& id,
                     const std::vector<std::pair<Handle, PrimitivePtr>>& queues)
{
    ++m_generation;
    m_found = {id, {}, 0};
    m_queues.clear();
    for (const auto& [handle, queue] : queues) {
        const Layout* layout = findLayout(queue->id.layout);
        if (layout && !layout->readJob(*queue, {}, id).isDone() &&
            m_queues.size() < size_t(mostQueues))
            m_queues.emplace_back(handle, queue);
    }
    m_found.queues = int(m_queues.size());
    ask(0);
}

void JobLookup::ask(size_t next)
{
    if (next == m_queues.size()) {
        emit found(std::make_shared<const JobsById>(m_found));
        return;
    }
    QueueJob item;
    item.facts.id = m_found.id;
    readJobDetail(m_connection, m_queues[next].second, {}, item, this,
                  [this, next, generation = m_generation](const JobDetail& detail) {
                      if (generation != m_generation)
                          return;
                      if (!detail.problem && !detail.facts.id.isEmpty() &&
                          !isFound(*m_queues[next].second, detail.facts))
                          m_found.jobs.push_back({m_queues[next].first, detail.facts});
                      ask(next + 1);
                  });
}

// If a library keeps its jobs independently of their queue, each of its queues returns the same
// job.
bool JobLookup::isFound(const Primitive& queue, const JobFacts& facts) const
{
    return std::any_of(m_found.jobs.begin(), m_found.jobs.end(), [&](const JobsById::Job& job) {
        const auto known = std::find_if(m_queues.begin(), m_queues.end(), [&](const auto& asked) {
            return asked.first == job.queue;
        });
        return known->second->id.layout == queue.id.layout && job.facts == facts;
    });
}

} // namespace lk
