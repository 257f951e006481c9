// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/api/duejobs.h"

#include "backend/libraries/detect/replyvalues.h"

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

constexpr qint64 keptMs = 10'000;       // while the number of delayed jobs is the same
constexpr qint64 keptOverdueMs = 2'000; // while jobs are overdue: they may leave

// A worker holds these jobs and removes them when they are done.
bool isHeldByWorker(const JobState& state)
{
    return state.name == "eta";
}

} // namespace

DueJobs::DueJobs(const Layout& layout, const State& state, const State* previous)
    : m_layout(&layout)
    , m_queue(state.primitive)
    , m_nowMs(state.asOfMs)
{
    const auto* queue = state.as<QueueState>();
    if (!queue || state.problem || !state.present)
        return;
    const auto* before = previous ? previous->as<QueueState>() : nullptr;
    if (before)
        m_before = before->due;
    for (const JobState& one : queue->states) {
        if (one.role == JobRole::Delayed && one.count.value_or(1) > 0 && !isHeldByWorker(one))
            m_parts.push_back({one.name, one.count});
    }
    const bool same = before && before->delayed == queue->delayed && m_before.readMs > 0;
    const qint64 ageMs = m_nowMs - m_before.readMs;
    const bool isDue = m_before.firstMs && *m_before.firstMs + overdueAfterMs < m_nowMs;
    m_kept = same && ageMs >= 0 && ageMs < (isDue ? keptOverdueMs : keptMs) &&
             isDue == (m_before.overdue.value_or(0) > 0);
    if (m_kept)
        m_parts.clear();
    for (Part& part : m_parts)
        list(part);
    ask();
}

void DueJobs::list(Part& part)
{
    part.read = m_layout->readJobs(*m_queue, {part.state, 0, part.limit});
    part.next = part.read->commands();
}

void DueJobs::ask()
{
    m_commands.clear();
    for (const Part& part : m_parts)
        m_commands.insert(m_commands.end(), part.next.begin(), part.next.end());
}

void DueJobs::take(std::span<const Reply> replies)
{
    size_t at = 0;
    for (Part& part : m_parts) {
        const size_t asked = part.next.size();
        if (asked == 0)
            continue;
        const std::vector<Command> commands = std::exchange(part.next, {});
        const std::span<const Reply> own = replies.subspan(at, asked);
        at += asked;
        // A denied command gives no information.
        const bool denied = std::any_of(own.begin(), own.end(), [&](const Reply& reply) {
            return reply.isError() &&
                   commands[size_t(&reply - own.data())].args().front() != "MEMORY";
        });
        if (denied)
            continue;
        if (part.counts) {
            const qint64 all = countOf(own.front());
            part.overdue =
                std::max(part.overdue.value_or(0), std::min(all, part.count.value_or(all)));
            continue;
        }
        if (part.key.isEmpty() && commands.front().args().front() == "ZRANGE") {
            part.key = commands.front().args()[1];
            const std::vector<Reply>& items = own.front().items;
            const std::optional<double> score =
                items.size() > 1 ? decimalNumber(items[1].text) : std::nullopt;
            part.unit = score.value_or(0);
        }
        part.read->next(own);
        if (part.read->isDone())
            judge(part, part.read->take());
        else
            part.next = part.read->commands();
    }
    ask();
}

// The number stays unknown if the layout does not list such jobs or their due times.
void DueJobs::judge(Part& part, const std::vector<StoredJob>& jobs)
{
    const bool isTold = std::any_of(
        jobs.begin(), jobs.end(), [](const StoredJob& job) { return job.facts.dueMs.has_value(); });
    if (!jobs.empty() && !isTold)
        return;
    const auto isOverdue = [this](const StoredJob& job) {
        return job.facts.dueMs && *job.facts.dueMs + overdueAfterMs < m_nowMs;
    };
    part.firstDueMs.reset();
    for (const StoredJob& job : jobs) {
        if (job.facts.dueMs)
            part.firstDueMs =
                std::min(part.firstDueMs.value_or(*job.facts.dueMs), *job.facts.dueMs);
    }
    part.overdue = qint64(std::count_if(jobs.begin(), jobs.end(), isOverdue));
    if (part.limit == 1 && *part.overdue > 0 && part.count != 1) {
        part.limit = pageJobs;
        return list(part);
    }
    // The whole page is overdue: count them by score, in the unit of the first job's score.
    const bool goesOn = part.limit == pageJobs && *part.overdue == pageJobs && !jobs.empty() &&
                        jobs.front().facts.dueMs.value_or(0) > 0;
    if (!goesOn || part.key.isEmpty() || part.unit <= 0)
        return;
    const double perMs = part.unit / double(*jobs.front().facts.dueMs);
    const double most = std::floor(double(m_nowMs - overdueAfterMs) * perMs);
    part.next = {{"ZCOUNT", part.key, "-inf", QByteArray::number(most, 'f', 0)}};
    part.counts = true;
}

void DueJobs::finish(State& state) const
{
    auto* queue = state.body.find<QueueState>();
    if (!queue || state.problem)
        return;
    DueFacts due;
    if (m_kept) {
        due = m_before;
    } else {
        due.readMs = m_nowMs;
        due.overdue = 0;
        for (const Part& part : m_parts) {
            due.overdue = part.overdue && due.overdue ? std::optional(*due.overdue + *part.overdue)
                                                      : std::nullopt;
            if (part.firstDueMs)
                due.firstMs = std::min(due.firstMs.value_or(*part.firstDueMs), *part.firstDueMs);
        }
    }
    if (due.overdue.value_or(0) > 0) {
        state.health = std::max(state.health, Health::Warning);
    } else if (due.firstMs) { // no client writes when the first job becomes overdue
        const qint64 atMs = std::max(*due.firstMs + overdueAfterMs + 1, m_nowMs + keptOverdueMs);
        state.revisitAtMs = state.revisitAtMs > 0 ? std::min(state.revisitAtMs, atMs) : atMs;
    }
    due.cause = queue->due.cause;
    queue->due = due;
}

} // namespace lk
