// SPDX-License-Identifier: GPL-3.0-or-later
// The user's browsing and searching: the jobs of a queue, and anything by its name.
#include "backend/core/names/keyname.h"
#include "backend/session/monitor/monitor.h"
#include "backend/session/search/primitivesearch.h"
#include "backend/session/session.h"

namespace lk {

void Session::connectJobs()
{
    connect(&m_monitor->jobs(), &JobListing::listed, this, [this](const JobPagePtr& page) {
        if (page->handle != m_jobsWanted.first || page->state != m_jobsWanted.second.state)
            return;
        m_jobs = page;
        emit jobsChanged();
    });
    connect(&m_monitor->jobs(), &JobListing::opened, this, &Session::jobOpened);
    connect(&m_monitor->jobSearch(), &JobSearch::progressed, this,
            [this](const JobsFoundPtr& found) {
                if (!m_jobsFound || found->handle != m_jobsFound->handle ||
                    found->state != m_jobsFound->state || found->text != m_jobsFound->text)
                    return; // from a search that has ended
                m_jobsFound = found;
                emit jobsFoundChanged();
            });
    connect(&m_monitor->failureCount(), &FailureCount::progressed, this,
            [this](const FailuresCountedPtr& counted) {
                if (counted->handle != m_failuresOf || counted->total != m_failuresTotal)
                    return; // from a count that has ended
                m_failuresCounted = counted;
                emit failuresCountedChanged();
            });
    connect(&m_monitor->jobLookup(), &JobLookup::found, this, &Session::jobsLookedUp);
}

void Session::wantJobs(Handle handle, const JobQuery& query)
{
    if (m_jobsWanted == std::pair(handle, query))
        return;
    if (m_jobsWanted.first != handle || m_jobsWanted.second.state != query.state)
        m_jobs.reset();
    m_jobsWanted = {handle, query};
    ask([handle, query](Monitor& m) { m.jobs().want(handle, query); });
}

void Session::openJob(Handle handle, const JobQuery& query, const QueueJob& job)
{
    ask([=](Monitor& m) { m.jobs().open(handle, query, job); });
}

void Session::searchJobs(Handle handle, const QByteArray& state, const QString& text)
{
    const StatePtr known = this->state(handle);
    const auto* queue = known ? known->as<QueueState>() : nullptr;
    const bool wanted = queue && !text.trimmed().isEmpty();
    if (!wanted && !m_jobsFound)
        return;
    m_jobsFound.reset();
    std::optional<qint64> total;
    if (wanted) {
        for (const JobState& jobs : queue->states)
            total = jobs.name == state ? jobs.count : total;
        JobsFound begun;
        begun.handle = handle;
        begun.state = state;
        begun.text = text;
        begun.total = total;
        begun.underWay = true;
        m_jobsFound = std::make_shared<const JobsFound>(std::move(begun));
    }
    ask([=, primitive = known ? known->primitive : nullptr](Monitor& m) {
        m.jobSearch().start(handle, primitive, state, total, wanted ? text : QString());
    });
    emit jobsFoundChanged();
}

void Session::searchMoreJobs()
{
    ask([](Monitor& m) { m.jobSearch().goOn(); });
}

void Session::countFailures(Handle handle)
{
    const StatePtr known = this->state(handle);
    const auto* queue = known ? known->as<QueueState>() : nullptr;
    std::vector<JobState> failed;
    qint64 total = 0;
    for (const JobState& jobs : queue && !isPast() ? queue->states : std::vector<JobState>()) {
        if (jobs.role != JobRole::Dead || jobs.count.value_or(0) == 0)
            continue;
        failed.push_back(jobs);
        total += *jobs.count;
    }
    const Handle of = failed.empty() ? noHandle : handle;
    if (of == m_failuresOf && std::abs(total - m_failuresTotal) <= m_failuresTotal / 10)
        return;
    if (of != m_failuresOf)
        m_failuresCounted.reset(); // else keep it until there is a newer one
    m_failuresOf = of;
    m_failuresTotal = total;
    ask([=, queue = known ? known->primitive : nullptr](Monitor& m) {
        m.failureCount().start(of, queue, failed);
    });
}

void Session::lookUpJob(const QString& id)
{
    std::vector<std::pair<Handle, PrimitivePtr>> queues;
    for (const auto& [handle, state] : m_states) {
        if (state.kind() == Kind::Queue)
            queues.emplace_back(handle, state.primitive());
    }
    ask([queues = std::move(queues), bytes = bytesFromDisplay(id)](Monitor& m) {
        m.jobLookup().find(bytes, queues);
    });
}

void Session::search(const QString& text)
{
    QMetaObject::invokeMethod(m_search, [search = m_search, text] { search->search(text); });
}

} // namespace lk
