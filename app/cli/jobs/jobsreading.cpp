// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/jobs/jobsreading.h"

#include "backend/core/names/keyname.h"
#include "backend/discovery/clustercoverage.h"
#include "backend/polling/jobs/jobreading.h"
#include "backend/polling/reader.h"
#include "backend/text/time/duration.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 pageJobs = 200;
constexpr qint64 around = 20; // jobs before and after a place where one may be by now

Connection::Options options()
{
    Connection::Options result;
    result.clientName = QByteArrayLiteral("lockkeeper-jobs");
    return result;
}

} // namespace

JobsReading::JobsReading(const Invocation& invocation, const Config& config, const Clock& clock)
    : m_wanted(invocation.jobs)
    , m_clock(clock)
    , m_target(invocation.url, config, clock, QByteArrayLiteral("queue.jobs"), m_wanted.queue,
               invocation.pace)
    , m_router(invocation.url, options())
    , m_search(m_router, this)
{
    m_report.grep = m_wanted.grep;
    m_timeout.setSingleShot(true);
    m_timeout.setInterval(invocation.timeoutMs);
    connect(&m_timeout, &QTimer::timeout, this, [this] {
        fail({ErrorCode::Timeout,
              tr("reading the jobs of %1: no progress for %2")
                  .arg(displayName(m_wanted.queue), formatDuration(m_timeout.interval()))});
    });
    connect(&m_target, &TargetSearch::failed, this, &JobsReading::fail);
    connect(&m_target, &TargetSearch::found, this, &JobsReading::onFound);
    connect(&m_target, &TargetSearch::nothing, this, [this] {
        fail({ErrorCode::NotFound, tr("%1 not found").arg(displayName(m_wanted.queue))});
    });
    connect(&m_router, &Router::statusChanged, this, [this](const ConnectionStatus& status) {
        if (status.phase == ConnectionStatus::Phase::Ready)
            readQueue();
        else if (status.phase == ConnectionStatus::Phase::Lost)
            fail(status.error);
    });
    connect(&m_search, &JobSearch::progressed, this, [this](const JobsFoundPtr& found) {
        m_timeout.start();
        takeFound(*found);
    });
}

void JobsReading::start()
{
    m_target.start();
}

void JobsReading::onFound(const PrimitivePtr& queue)
{
    m_queue = queue;
    m_timeout.start();
    m_router.open();
}

void JobsReading::readQueue()
{
    m_router.disconnect(this); // replies report a node that goes or comes later
    const bool alone = m_router.url().deployment == ServerUrl::Deployment::Node;
    if (const auto replica = clusterReplica(m_router.greeting()); replica && !alone)
        return fail(*replica);
    m_report.map = m_router.map();
    ReadRequest request;
    request.primitive = m_queue;
    request.depth = Depth::Detail;
    readPrimitives(m_router, {request}, {}, m_clock, this, [this](const ReadRound& round) {
        if (round.error)
            return fail(*round.error);
        const State& state = round.outcomes.front().state;
        if (state.problem)
            return fail(*state.problem);
        chooseStates(std::make_shared<const State>(state));
    });
}

void JobsReading::chooseStates(const StatePtr& state)
{
    m_report.queue = state;
    const auto* queue = state->as<QueueState>();
    QStringList names;
    for (const JobState& jobs : queue ? queue->states : std::vector<JobState>()) {
        names << displayName(jobs.name);
        if (m_wanted.state.isEmpty() || jobs.name == m_wanted.state ||
            jobRoleId(jobs.role) == m_wanted.state)
            m_report.states.emplace_back().state = jobs;
    }
    // By its name alone where that is a role's name as well.
    const auto isNamed = [this](const ReportedState& s) { return s.state.name == m_wanted.state; };
    if (std::any_of(m_report.states.begin(), m_report.states.end(), isNamed))
        std::erase_if(m_report.states, [&](const ReportedState& s) { return !isNamed(s); });
    if (!queue || names.isEmpty())
        return fail({ErrorCode::NotPossible,
                     tr("the jobs of %1 cannot be listed").arg(displayName(m_wanted.queue))});
    if (m_report.states.empty())
        return fail({ErrorCode::NotFound,
                     tr("%1 has no state %2; it has: %3")
                         .arg(displayName(m_queue->name()), displayName(m_wanted.state),
                              names.join(QStringLiteral(", ")))});
    readNextState();
}

void JobsReading::readNextState()
{
    m_timeout.start();
    m_places.clear();
    m_numbers.clear();
    if (m_at == m_report.states.size()) {
        m_done = true;
        m_timeout.stop();
        m_router.disconnect(this);
        m_router.close();
        emit finished(m_report);
        return;
    }
    if (current().state.count == 0) {
        current().complete = true;
        return endState();
    }
    if (m_wanted.grep.isEmpty())
        readPage();
    else
        m_search.start(noHandle, m_queue, current().state.name, current().state.count,
                       m_wanted.grep);
}

void JobsReading::readPage()
{
    const JobQuery query{current().state.name, current().scanned,
                         std::min(pageJobs, m_wanted.limit - current().scanned)};
    readJobs(m_router, m_queue, query, this,
             [this, query](const Result<std::vector<StoredJob>>& jobs) { takePage(query, jobs); });
}

void JobsReading::takePage(const JobQuery& query, const Result<std::vector<StoredJob>>& jobs)
{
    m_timeout.start();
    if (!jobs) {
        current().problem = jobs.error();
        return m_router.isReady() ? endState() : fail(jobs.error());
    }
    for (const StoredJob& job : *jobs) {
        m_places.push_back(current().scanned++);
        current().jobs.push_back({queueJobOf(job), ++m_numbers[job.key], {}});
        if (!m_wanted.payloads || !job.facts.id.isEmpty())
            continue;
        // A job without an id has no more than the payload that was listed.
        current().jobs.back().payload = job.payload.left(mostPayload);
        current().jobs.back().payloadCut = job.payload.size() > mostPayload;
    }
    // A page may contain fewer jobs than requested if they are large.
    const bool end = jobs->empty();
    const bool enough = current().scanned >= m_wanted.limit;
    const bool all = current().state.count && current().scanned >= *current().state.count;
    if (end || enough || all) {
        current().complete = all || (end && query.offset == 0 && !current().state.count);
        return endState();
    }
    readPage();
}

void JobsReading::takeFound(const JobsFound& found)
{
    current().scanned = found.scanned;
    if (found.problem)
        current().problem = *found.problem;
    const bool enough = qint64(found.jobs.size()) >= m_wanted.limit;
    if (found.more && !enough && found.scanned < mostScanned)
        return m_search.goOn();
    if (found.underWay && !enough)
        return;
    m_search.stop();
    for (size_t i = 0; i < found.jobs.size() && qint64(i) < m_wanted.limit; ++i) {
        // The position counts only if one key has all: in another, jobs that were not found may
        // come first.
        const bool isOfOne =
            std::all_of(found.jobs.begin(), found.jobs.end(),
                        [&](const QueueJob& job) { return job.key == found.jobs.front().key; });
        current().jobs.push_back({found.jobs[i], isOfOne ? found.places[i] + 1 : 0, {}});
        m_places.push_back(found.places[i]);
    }
    current().complete = !found.problem && !found.more && !found.underWay;
    endState();
}

void JobsReading::endState()
{
    if (m_wanted.payloads)
        return readPayloads(0);
    ++m_at;
    readNextState();
}

// One after the other: payloads may be large.
void JobsReading::readPayloads(size_t next)
{
    std::vector<ReportedJob>& jobs = current().jobs;
    while (next < jobs.size() && jobs[next].payload)
        ++next;
    if (next >= jobs.size()) {
        ++m_at;
        return readNextState();
    }
    const JobQuery query{current().state.name, std::max<qint64>(0, m_places[next] - around),
                         2 * around + 1};
    readJobDetail(m_router, m_queue, query, jobs[next].job, this,
                  [this, next](const JobDetail& detail) {
                      m_timeout.start();
                      ReportedJob& job = current().jobs[next];
                      job.payload = detail.payload.left(mostPayload);
                      job.payloadCut = detail.payloadCut || detail.payload.size() > mostPayload;
                      readPayloads(next + 1);
                  });
}

void JobsReading::fail(const Error& error)
{
    if (std::exchange(m_done, true))
        return;
    m_timeout.stop();
    m_search.stop();
    m_router.disconnect(this);
    m_router.close();
    emit failed(error);
}

} // namespace lk
