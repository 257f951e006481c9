// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/jobs/joblisting.h"

#include "backend/polling/jobs/jobreading.h"
#include "backend/redis/oversizedreplies.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 afterProblemMs = 10'000; // a denied read is not repeated every second

Result<std::vector<StoredJob>> jobListingGone()
{
    return failure(ErrorCode::NotFound, JobListing::tr("The queue no longer exists"));
}

} // namespace

JobListing::JobListing(Link& control, const Registry& registry, const Clock& clock, QObject* parent)
    : QObject(parent)
    , m_control(control)
    , m_registry(registry)
    , m_clock(clock)
{}

void JobListing::want(Handle handle, const JobQuery& query)
{
    if (handle == m_handle && query == m_query)
        return;
    const bool sameList = handle == m_handle && query.state == m_query.state;
    m_handle = handle;
    m_query = query;
    if (sameList && m_underWay) {
        m_moved = true;
        return;
    }
    if (!sameList) {
        m_counts.clear();
        m_givenUp = false;
        m_underWay = false;
        m_moved = false;
        ++m_generation;
    }
    m_notBeforeMs = 0;
    m_changed = !query.state.isEmpty();
    if (m_changed && m_control.isReady() && !m_givenUp)
        read();
}

void JobListing::markChanged(Handle handle)
{
    m_changed = m_changed || (handle == m_handle && !m_query.state.isEmpty());
}

void JobListing::saw(Handle handle, const State& state)
{
    const auto* queue = handle == m_handle ? state.as<QueueState>() : nullptr;
    if (!queue || queue->states == m_counts)
        return;
    m_counts = queue->states;
    markChanged(handle);
}

void JobListing::everySecond(const std::function<bool(const Primitive&)>& isFed)
{
    if (m_query.state.isEmpty())
        return;
    const PrimitivePtr queue = m_registry.primitive(m_handle);
    if (queue && !m_changed && isFed(*queue))
        return;
    if (!m_underWay && !m_givenUp && m_clock.nowMs() >= m_notBeforeMs)
        read();
}

void JobListing::read()
{
    m_changed = false;
    m_underWay = true;
    const PrimitivePtr queue = m_registry.primitive(m_handle);
    if (!queue)
        return take(m_query, jobListingGone());
    readJobs(m_control, queue, m_query, this,
             [this, generation = m_generation,
              query = m_query](const Result<std::vector<StoredJob>>& jobs) {
                 if (generation == m_generation)
                     take(query, jobs);
             });
}

void JobListing::take(const JobQuery& query, const Result<std::vector<StoredJob>>& jobs)
{
    m_underWay = false;
    JobPage page = jobPageOf(query, jobs);
    page.handle = m_handle;
    if (!jobs) {
        m_givenUp =
            OversizedReplies().judge(jobs.error(), true) == OversizedReplies::Verdict::GiveUp;
        m_changed = true;
    }
    m_notBeforeMs = m_clock.nowMs() + (jobs ? page.bytes * 1000 / bytesPerSecond : afterProblemMs);
    emit listed(std::make_shared<const JobPage>(std::move(page)));
    if (std::exchange(m_moved, false) && jobs)
        read();
}

void JobListing::open(Handle handle, const JobQuery& query, const QueueJob& job)
{
    const auto answer = [=, this](JobDetail detail) {
        emit opened(std::make_shared<const OpenedJob>(
            OpenedJob{handle, query.state, job.fingerprint, std::move(detail)}));
    };
    if (const PrimitivePtr queue = m_registry.primitive(handle))
        return readJobDetail(m_control, queue, query, job, this, answer);
    JobDetail detail;
    detail.problem = jobListingGone().error();
    answer(std::move(detail));
}

} // namespace lk
