// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/jobs/jobsearch.h"

#include "backend/polling/jobs/jobreading.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 pageJobs = 200;

} // namespace

bool jobFits(const StoredJob& job, const NameFilter& filter)
{
    const JobFacts& facts = job.facts;
    const QByteArray* const texts[] = {&facts.id, &facts.name, &facts.worker, &facts.error,
                                       &job.payload};
    return std::any_of(std::begin(texts), std::end(texts), [&](const QByteArray* text) {
        return !text->isEmpty() && filter.fits(*text);
    });
}

JobSearch::JobSearch(Link& connection, QObject* parent)
    : QObject(parent)
    , m_connection(connection)
{}

void JobSearch::start(Handle handle, const PrimitivePtr& queue, const QByteArray& state,
                      std::optional<qint64> total, const QString& text)
{
    ++m_generation;
    m_queue = queue;
    m_filter = NameFilter(text);
    m_found = {};
    m_found.handle = handle;
    m_found.state = state;
    m_found.text = text;
    m_found.total = total;
    m_until = stepJobs;
    if (!m_filter.isEmpty() && m_queue)
        readPage();
}

void JobSearch::stop()
{
    ++m_generation;
    m_found.underWay = false;
    m_found.more = false;
}

void JobSearch::goOn()
{
    if (m_found.underWay || !m_found.more)
        return;
    m_until = m_found.scanned + stepJobs;
    readPage();
}

void JobSearch::readPage()
{
    m_found.underWay = true;
    m_found.more = false;
    const JobQuery query{m_found.state, m_found.scanned, pageJobs};
    readJobs(m_connection, m_queue, query, this,
             [this, generation = m_generation](const Result<std::vector<StoredJob>>& jobs) {
                 if (generation == m_generation)
                     take(jobs);
             });
}

void JobSearch::take(const Result<std::vector<StoredJob>>& jobs)
{
    m_found.underWay = false;
    if (!jobs) {
        m_found.problem = jobs.error();
        emit progressed(std::make_shared<const JobsFound>(m_found));
        return;
    }
    for (const StoredJob& job : *jobs) {
        const qint64 place = m_found.scanned++;
        if (!jobFits(job, m_filter))
            continue;
        ++m_found.found;
        if (m_found.jobs.size() >= JobsFound::most)
            continue;
        m_found.jobs.push_back(queueJobOf(job));
        m_found.places.push_back(place);
    }
    // A page may contain fewer jobs than requested if they are large.
    const bool end = jobs->empty() || (m_found.total && m_found.scanned >= *m_found.total);
    const bool pause = !end && m_found.scanned >= m_until;
    m_found.more = pause;
    m_found.underWay = !end && !pause;
    emit progressed(std::make_shared<const JobsFound>(m_found));
    if (m_found.underWay)
        readPage();
}

} // namespace lk
