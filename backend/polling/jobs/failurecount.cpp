// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/jobs/failurecount.h"

#include "backend/polling/jobs/jobreading.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 failurePageJobs = 200;
constexpr qint64 toldEach = 1000; // jobs

} // namespace

FailureCount::FailureCount(Link& connection, QObject* parent)
    : QObject(parent)
    , m_connection(connection)
{}

void FailureCount::start(Handle handle, const PrimitivePtr& queue, std::vector<JobState> states)
{
    ++m_generation;
    m_queue = queue;
    m_states = std::move(states);
    m_offset = 0;
    m_groups.clear();
    m_told = 0;
    m_counted = {};
    m_counted.handle = handle;
    for (const JobState& state : m_states)
        m_counted.total += state.count.value_or(0);
    m_counted.underWay = m_queue && !m_states.empty();
    if (m_counted.underWay)
        readPage();
}

void FailureCount::readPage()
{
    const JobQuery query{m_states.front().name, m_offset, failurePageJobs};
    readJobs(m_connection, m_queue, query, this,
             [this, generation = m_generation](const Result<std::vector<StoredJob>>& jobs) {
                 if (generation == m_generation)
                     take(jobs);
             });
}

void FailureCount::take(const Result<std::vector<StoredJob>>& jobs)
{
    if (!jobs) {
        m_counted.problem = jobs.error();
        m_counted.underWay = false;
        return tell();
    }
    for (const StoredJob& job : *jobs) {
        FailureGroup& group = m_groups[{job.facts.error, job.facts.name}];
        group.error = job.facts.error;
        group.name = job.facts.name;
        ++group.count;
        if (job.facts.finishedMs)
            group.lastMs = std::max(group.lastMs.value_or(0), *job.facts.finishedMs);
    }
    m_counted.counted += qint64(jobs->size());
    m_offset += qint64(jobs->size());
    const JobState& state = m_states.front();
    if (jobs->empty() || m_offset >= mostJobs || (state.count && m_offset >= *state.count)) {
        m_states.erase(m_states.begin());
        m_offset = 0;
    }
    m_counted.underWay = !m_states.empty();
    if (!m_counted.underWay || m_counted.counted >= m_told + toldEach)
        tell();
    if (m_counted.underWay)
        readPage();
}

void FailureCount::tell()
{
    m_told = m_counted.counted;
    m_counted.groups.assign(m_groups.cbegin(), m_groups.cend());
    const auto isBefore = [](const FailureGroup& a, const FailureGroup& b) {
        return std::tuple(-a.count, a.error, a.name) < std::tuple(-b.count, b.error, b.name);
    };
    const size_t shown = std::min(m_counted.groups.size(), FailuresCounted::most);
    std::partial_sort(m_counted.groups.begin(), m_counted.groups.begin() + qsizetype(shown),
                      m_counted.groups.end(), isBefore);
    m_counted.furtherGroups = qint64(m_counted.groups.size() - shown);
    m_counted.groups.resize(shown);
    emit progressed(std::make_shared<const FailuresCounted>(m_counted));
}

} // namespace lk
