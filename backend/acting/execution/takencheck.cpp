// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/execution/takencheck.h"

#include "backend/core/names/keyname.h"
#include "backend/libraries/api/action.h"
#include "backend/polling/reader.h"
#include "backend/redis/replies.h"
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

OutcomeSeen unknown(const QString& why)
{
    return {false, TakenCheckText::tr("it is not known whether it was taken: %1").arg(why)};
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
{
    for (size_t i = 0; i < plan.items.size(); ++i) {
        if (i >= receipt.items.size() || receipt.items[i])
            m_ids.insert(plan.items[i]);
    }
    if (plan.script == "stream-jobs")
        m_addedMs = receipt.serverMs;
}

void TakenCheck::start()
{
    launch(watch(), [this](const OutcomeSeen& seen) { emit finished(seen); });
}

Task<OutcomeSeen> TakenCheck::watch()
{
    ReadRequest request;
    request.primitive = m_queue;
    request.depth = Depth::Detail;
    for (m_since.start();;) {
        const ReadRound round = co_await Awaited<ReadRound>(
            [&](auto then) { readPrimitives(m_connection, {request}, {}, m_clock, this, then); });
        if (round.error)
            co_return unknown(errorText(*round.error));
        const State& state = round.outcomes.front().state;
        const auto* queue = state.as<QueueState>();
        if (!queue || state.problem)
            co_return unknown(state.problem ? errorText(*state.problem) : QString());
        for (const QueueJob& job : queue->items) {
            if (isMoved(job.facts) && job.facts.leaseAlive != false)
                co_return takenBy(job.facts.worker);
        }
        if (queue->paused)
            co_return OutcomeSeen{true, TakenCheckText::tr("not taken: the queue is paused")};
        if (noWorkerListens(*queue) && m_since.elapsed() > takenEveryMs)
            co_return OutcomeSeen{true, TakenCheckText::tr("not taken: no worker listens")};
        // One that waits in none of the lists and is not in progress has been taken and has ended.
        std::vector<JobQuery> queries;
        bool listed = true;
        for (const JobState& s : queue->states) {
            if (s.role != JobRole::Ready || s.count == 0)
                continue;
            queries.push_back({s.name, 0, mostListed});
            listed = listed && s.count.value_or(mostListed) < mostListed;
        }
        const Result<bool> waits = co_await waitsIn(queries);
        if (!waits)
            co_return unknown(errorText(waits.error()));
        if (!*waits && listed)
            co_return takenBy({});
        if (m_since.elapsed() >= takenPatienceMs)
            co_return OutcomeSeen{
                true,
                TakenCheckText::tr("not taken within %1").arg(formatDuration(takenPatienceMs))};
        co_await pauseFor(takenEveryMs, this);
    }
}

// True if one of the jobs waits in one of the lists.
Task<Result<bool>> TakenCheck::waitsIn(std::vector<JobQuery> queries)
{
    for (; !queries.empty(); queries.pop_back()) {
        Read<std::vector<StoredJob>> read = m_layout->readJobs(*m_queue, queries.back());
        while (!read.isDone()) {
            const BatchResult result = co_await replies(m_connection, read.commands(), this);
            if (!result)
                co_return tl::unexpected<Error>(result.error());
            read.next(*result);
        }
        const std::vector<StoredJob> jobs = read.take();
        for (const StoredJob& job : jobs) {
            if (isMoved(job.facts))
                co_return true;
        }
    }
    co_return false;
}

bool TakenCheck::isMoved(const JobFacts& job) const
{
    return m_addedMs > 0 ? std::abs(job.enqueuedMs.value_or(0) - m_addedMs) <= sameStepMs
                         : m_ids.contains(job.id);
}

// worker: empty if it is not known.
OutcomeSeen TakenCheck::takenBy(const QByteArray& worker) const
{
    const QString after = formatDuration(std::max<qint64>(1, m_since.elapsed()));
    return {
        true,
        worker.isEmpty()
            ? TakenCheckText::tr("taken after %1").arg(after)
            : TakenCheckText::tr("taken by %1 after %2").arg(displayPreview(worker, 60), after)};
}

} // namespace lk
