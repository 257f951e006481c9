// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/snapshot/snapshotjobs.h"

#include "backend/polling/jobs/jobreading.h"

namespace lk {

namespace {

constexpr size_t mostUnderWay = 16; // lists: a round trip to a far server is not paid for each

} // namespace

SnapshotJobs::SnapshotJobs(Link& connection, QObject* parent)
    : QObject(parent)
    , m_connection(connection)
{}

void SnapshotJobs::read(const std::vector<StatePtr>& queues)
{
    for (const StatePtr& state : queues) {
        const auto* queue = state->as<QueueState>();
        if (!queue || state->problem)
            continue;
        for (const JobState& jobs : queue->states) {
            if (jobs.role == JobRole::Processing || jobs.role == JobRole::Done || jobs.count == 0)
                continue;
            ListedJobs list;
            list.queue = state->primitive;
            list.page.state = jobs.name;
            m_lists.push_back(std::move(list));
        }
    }
    readMore();
}

void SnapshotJobs::readMore()
{
    m_starting = true;
    while (m_underWay < mostUnderWay && m_begun < m_lists.size() && m_bytes < mostBytes) {
        ++m_underWay;
        readList(m_begun++);
    }
    m_starting = false;
    if (m_underWay > 0)
        return;
    m_lists.resize(m_begun);
    emit finished(m_lists);
}

void SnapshotJobs::readList(size_t list)
{
    const ListedJobs& wanted = m_lists[list];
    readJobs(m_connection, wanted.queue, {wanted.page.state}, this,
             [this, list](const Result<std::vector<StoredJob>>& jobs) {
                 JobPage& page = m_lists[list].page;
                 page = jobPageOf({page.state}, jobs);
                 for (QueueJob& job : page.jobs)
                     job.preview.clear(); // payloads are told by their digests
                 m_bytes += page.bytes;
                 // A reply that was too large has cost the connection: what is read has to do.
                 if (page.problem && !m_connection.isReady())
                     m_bytes = mostBytes;
                 --m_underWay;
                 if (m_starting)
                     return;
                 emit advanced();
                 readMore();
             });
}

} // namespace lk
