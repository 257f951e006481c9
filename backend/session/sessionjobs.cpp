// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionjobs.h"

#include "backend/session/ask.h"
#include "backend/session/monitor/monitor.h"
#include "backend/session/sessionpolling.h"
#include "backend/session/sessionstates.h"

namespace lk {

SessionJobs::SessionJobs(SessionStates& states, SessionPolling& polling, Monitor* monitor)
    : m_states(states)
    , m_monitor(monitor)
{
    connect(&polling, &SessionPolling::attentionSet, this, &SessionJobs::onSelected);
    connect(&states, &SessionStates::forgotten, this, [this](Handle handle) {
        if (m_selected == handle) {
            m_selected = noHandle;
            m_waiting.reset();
        }
        if (m_wanted.first == handle)
            want(noHandle, {});
    });
    if (m_monitor)
        connectMonitor();
}

void SessionJobs::connectMonitor()
{
    connect(m_monitor, &Monitor::waitingReady, this, [this](const WaitingWorkersPtr& waiting) {
        m_waiting = waiting;
        emit waitingWorkersChanged();
    });
    connect(&m_monitor->jobs(), &JobListing::listed, this, [this](const JobPagePtr& page) {
        if (page->handle != m_wanted.first || page->state != m_wanted.second.state)
            return;
        m_page = page;
        emit pageChanged();
    });
    connect(&m_monitor->jobs(), &JobListing::opened, this, &SessionJobs::opened);
    connect(&m_monitor->jobSearch(), &JobSearch::progressed, this,
            [this](const JobsFoundPtr& found) {
                if (!m_found || found->handle != m_found->handle ||
                    found->state != m_found->state || found->text != m_found->text)
                    return; // from a search that has ended
                m_found = found;
                emit foundChanged();
            });
    connect(&m_monitor->failureCount(), &FailureCount::progressed, this,
            [this](const FailuresCountedPtr& counted) {
                if (counted->handle != m_failuresOf || counted->total != m_failuresTotal)
                    return; // from a count that has ended
                m_failures = counted;
            });
}

void SessionJobs::onSelected(Handle selected)
{
    if (std::exchange(m_selected, selected) != selected)
        m_waiting.reset(); // it belongs to another queue
    if (selected != m_wanted.first)
        want(noHandle, {});
}

void SessionJobs::want(Handle handle, const JobQuery& query)
{
    if (m_wanted == std::pair(handle, query))
        return;
    if (m_wanted.first != handle || m_wanted.second.state != query.state)
        m_page.reset();
    m_wanted = {handle, query};
    ask(m_monitor, [handle, query](Monitor& m) { m.jobs().want(handle, query); });
}

void SessionJobs::open(Handle handle, const JobQuery& query, const QueueJob& job)
{
    ask(m_monitor, [=](Monitor& m) { m.jobs().open(handle, query, job); });
}

void SessionJobs::search(Handle handle, const QByteArray& state, const QString& text)
{
    const StatePtr known = m_states.at(handle);
    const auto* queue = known ? known->as<QueueState>() : nullptr;
    const bool wanted = queue && !text.trimmed().isEmpty();
    if (!wanted && !m_found)
        return;
    m_found.reset();
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
        m_found = std::make_shared<const JobsFound>(std::move(begun));
    }
    ask(m_monitor, [=, primitive = known ? known->primitive : nullptr](Monitor& m) {
        m.jobSearch().start(handle, primitive, state, total, wanted ? text : QString());
    });
    emit foundChanged();
}

void SessionJobs::searchMore()
{
    ask(m_monitor, [](Monitor& m) { m.jobSearch().goOn(); });
}

void SessionJobs::countFailures(Handle handle)
{
    const StatePtr known = m_states.at(handle);
    const auto* queue = known ? known->as<QueueState>() : nullptr;
    std::vector<JobState> failed;
    qint64 total = 0;
    for (const JobState& jobs : queue&& m_monitor ? queue->states : std::vector<JobState>()) {
        if (jobs.role != JobRole::Dead || jobs.count.value_or(0) == 0)
            continue;
        failed.push_back(jobs);
        total += *jobs.count;
    }
    const Handle of = failed.empty() ? noHandle : handle;
    if (of == m_failuresOf && std::abs(total - m_failuresTotal) <= m_failuresTotal / 10)
        return;
    if (of != m_failuresOf)
        m_failures.reset(); // else keep it until there is a newer one
    m_failuresOf = of;
    m_failuresTotal = total;
    ask(m_monitor, [=, queue = known ? known->primitive : nullptr](Monitor& m) {
        m.failureCount().start(of, queue, failed);
    });
}

} // namespace lk
