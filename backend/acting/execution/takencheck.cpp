// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/execution/takencheck.h"

#include "backend/core/names/keyname.h"
#include "backend/libraries/api/action.h"
#include "backend/polling/reader.h"
#include "backend/polling/runread.h"
#include "backend/text/errortext.h"
#include "backend/text/time/duration.h"

#include <algorithm>

namespace lk {

namespace {

struct TakenCheckText
{
    Q_DECLARE_TR_FUNCTIONS(lk::TakenCheck)
};

constexpr int takenEveryMs = 100;
constexpr qint64 takenPatienceMs = 10'000;
constexpr qint64 mostListed = 200;
constexpr qint64 sameStepMs = 1000; // a new id is made within the step

bool noWorkerListens(const QueueState& queue)
{
    return queue.workersKnown &&
           std::all_of(queue.workers.begin(), queue.workers.end(),
                       [](const QueueWorker& worker) { return worker.alive == false; });
}

} // namespace

bool TakenCheck::applies(const Plan& plan, const Receipt& receipt)
{
    const Layout* layout = findLayout(plan.layout);
    const Action* action = layout ? findAction(*layout, plan.action) : nullptr;
    const bool queues = plan.action == "queue.requeue" || plan.action == "queue.retry" ||
                        plan.action == "queue.promote";
    return queues && action && action->parameter("job", action->parameters()) &&
           receipt.outcome == Outcome::Succeeded && plan.undoes.isEmpty();
}

TakenCheck::TakenCheck(Link& connection, const Plan& plan, const Receipt& receipt,
                       PrimitivePtr queue, const Clock& clock, QObject* parent)
    : QObject(parent)
    , m_layout(findLayout(plan.layout))
    , m_queue(std::move(queue))
    , m_clock(clock)
    , m_connection(connection)
    , m_timer(this)
{
    for (size_t i = 0; i < plan.items.size(); ++i) {
        if (i >= receipt.items.size() || receipt.items[i])
            m_ids.insert(plan.items[i]);
    }
    if (plan.script == "stream-jobs")
        m_addedMs = receipt.serverMs;
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &TakenCheck::read);
}

void TakenCheck::start()
{
    m_since.start();
    read();
}

void TakenCheck::read()
{
    ReadRequest request;
    request.primitive = m_queue;
    request.depth = Depth::Detail;
    readPrimitives(m_connection, {request}, {}, m_clock, this, [this](const ReadRound& round) {
        if (round.error)
            return end(false, errorText(*round.error));
        const State& state = round.outcomes.front().state;
        const auto* queue = state.as<QueueState>();
        if (!queue || state.problem)
            return end(false, state.problem ? errorText(*state.problem) : QString());
        for (const QueueJob& job : queue->items) {
            if (!isMoved(job.facts) || job.facts.leaseAlive == false)
                continue;
            return end(true, job.facts.worker.isEmpty()
                                 ? TakenCheckText::tr("taken after %1").arg(afterText())
                                 : TakenCheckText::tr("taken by %1 after %2")
                                       .arg(displayPreview(job.facts.worker, 60), afterText()));
        }
        if (queue->paused)
            return end(true, TakenCheckText::tr("not taken: the queue is paused"));
        std::vector<JobQuery> queries;
        m_listed = true;
        for (const JobState& s : queue->states) {
            if (s.role != JobRole::Ready || s.count == 0)
                continue;
            queries.push_back({s.name, 0, mostListed});
            m_listed = m_listed && s.count.value_or(mostListed) < mostListed;
        }
        const bool nobody = noWorkerListens(*queue);
        if (nobody && m_since.elapsed() > takenEveryMs)
            return end(true, TakenCheckText::tr("not taken: no worker listens"));
        readWaiting(queries);
    });
}

void TakenCheck::readWaiting(const std::vector<JobQuery>& queries)
{
    if (queries.empty())
        return onWaiting({}, {});
    runRead<std::vector<StoredJob>>(m_connection, this, m_queue,
                                    m_layout->readJobs(*m_queue, queries.back()),
                                    [this, queries](const Result<std::vector<StoredJob>>& jobs) {
                                        if (!jobs)
                                            return end(false, errorText(jobs.error()));
                                        onWaiting(queries, *jobs);
                                    });
}

// One that waits in none of the lists and is not in progress has been taken and has ended.
void TakenCheck::onWaiting(std::vector<JobQuery> queries, const std::vector<StoredJob>& jobs)
{
    const bool waits = std::any_of(jobs.begin(), jobs.end(),
                                   [this](const StoredJob& job) { return isMoved(job.facts); });
    if (waits)
        return again();
    if (queries.empty())
        return m_listed ? end(true, TakenCheckText::tr("taken after %1").arg(afterText()))
                        : again();
    queries.pop_back();
    readWaiting(queries);
}

void TakenCheck::again()
{
    if (m_since.elapsed() < takenPatienceMs)
        return m_timer.start(takenEveryMs);
    end(true, TakenCheckText::tr("not taken within %1").arg(formatDuration(takenPatienceMs)));
}

bool TakenCheck::isMoved(const JobFacts& job) const
{
    return m_addedMs > 0 ? std::abs(job.enqueuedMs.value_or(0) - m_addedMs) <= sameStepMs
                         : m_ids.contains(job.id);
}

QString TakenCheck::afterText() const
{
    return formatDuration(std::max<qint64>(1, m_since.elapsed()));
}

void TakenCheck::end(bool read, const QString& text)
{
    if (std::exchange(m_ended, true))
        return;
    m_timer.stop();
    emit finished(
        {read,
         read ? text : TakenCheckText::tr("it is not known whether it was taken: %1").arg(text)});
}

} // namespace lk
