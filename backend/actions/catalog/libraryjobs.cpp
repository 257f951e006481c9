// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/actions/catalog/libraryjobs.h"

#include "backend/actions/catalog/keyprefetch.h"
#include "backend/actions/catalog/statetexts.h"

#include "backend/core/names/keyname.h"
#include "backend/layouts/layout.h"

#include <algorithm>

namespace lk::actions {

namespace {

const QueueState* queueOf(const State& state)
{
    return state.as<QueueState>();
}

qint64 countIn(const QueueState& queue, const QByteArray& name)
{
    const auto state = std::find_if(queue.states.begin(), queue.states.end(),
                                    [&](const JobState& s) { return s.name == name; });
    return state == queue.states.end() ? 0 : state->count.value_or(1);
}

std::vector<QByteArray> idsIn(const QByteArray& list)
{
    std::vector<QByteArray> ids;
    for (const QByteArray& id : list.split(',')) {
        if (!id.isEmpty())
            ids.push_back(QByteArray::fromPercentEncoding(id));
    }
    return ids;
}

QString namesOf(const std::vector<StoredJob>& jobs)
{
    QStringList names;
    for (size_t i = 0; i < std::min<size_t>(jobs.size(), 5); ++i) {
        const JobFacts& job = jobs[i].facts;
        names << (job.id.isEmpty() || job.name.isEmpty()
                      ? displayPreview(job.id.isEmpty() ? job.name : job.id, 40)
                      : ActionText::tr("%1 (%2)", "job id (job name)")
                            .arg(displayPreview(job.id, 40), displayPreview(job.name, 40)));
    }
    if (jobs.size() > 5)
        names << QStringLiteral("\u2026");
    return names.join(QStringLiteral(", "));
}

} // namespace

LibraryJobs::LibraryJobs(LibraryMove move)
    : m_move(std::move(move))
{}

QByteArray LibraryJobs::id() const
{
    return idOf(m_move.verb);
}

QString LibraryJobs::title() const
{
    return titleOf(m_move.verb);
}

QString LibraryJobs::summary() const
{
    return summaryOf(m_move.verb);
}

std::vector<ActionParameter> LibraryJobs::parameters() const
{
    return parametersOf(m_move.verb, m_move.states);
}

QString LibraryJobs::unavailable(const State& state) const
{
    const QueueState* queue = queueOf(state);
    if (queue && std::all_of(m_move.states.begin(), m_move.states.end(),
                             [&](const QByteArray& name) { return countIn(*queue, name) == 0; }))
        return ActionText::tr("no job is there");
    if (queue && needsDeadWorker() && queue->stuck == 0 && !queue->itemsTruncated)
        return ActionText::tr("the worker of each job is alive");
    return Action::unavailable(state);
}

JobQuery LibraryJobs::queryOf(const ActionRequest& request) const
{
    const QByteArray asked = request.text("state");
    const bool known =
        std::find(m_move.states.begin(), m_move.states.end(), asked) != m_move.states.end();
    const bool inSteps = request.has("rate") || request.has("error") || request.has("name");
    return {known ? asked : m_move.states.front(), 0, inSteps ? mostJobsInSteps : mostLibraryJobs};
}

// The state was read just now, and the same moment serves for reading and for choosing.
qint64 LibraryJobs::beforeMs(const State& state, const ActionRequest& request) const
{
    return state.asOfMs - request.durationMs("older-than").value_or(0);
}

size_t LibraryJobs::extraCount(const Primitive& queue) const
{
    return m_move.reads ? m_move.reads(queue).size() : 0;
}

std::vector<Command> LibraryJobs::prefetch(const State& state, const ActionRequest& request,
                                           std::span<const Reply> prefetched) const
{
    const Layout* layout = findLayout(state.primitive->id.layout);
    const size_t extra = extraCount(*state.primitive);
    if (prefetched.empty() && extra > 0)
        return m_move.reads(*state.primitive);
    if (!layout || errorAmong(prefetched))
        return {};
    const std::span<const Reply> replies = prefetched.subspan(extra);
    const JobQuery query = queryOf(request);
    return m_move.aged ? m_move.aged->commands(*state.primitive, query.state,
                                               beforeMs(state, request), replies)
                       : layout->jobReads(*state.primitive, query, replies);
}

Result<AgedJobs> LibraryJobs::aged(const ActionContext& context) const
{
    const ActionRequest& request = context.request;
    const Primitive& queue = *context.state.primitive;
    AgedJobs aged =
        m_move.aged->jobs(queue, queryOf(request).state, beforeMs(context.state, request),
                          context.prefetched.subspan(extraCount(queue)));
    const qint64 most = request.count("most").value_or(mostLibraryJobs);
    if (most > mostJobsInSteps)
        return failure(ErrorCode::BadArgument,
                       ActionText::tr("--most takes up to %1").arg(mostJobsInSteps));
    if (aged.jobs.empty())
        return notPossible(ActionText::tr("No job finished longer ago than that"));
    if (qint64(aged.jobs.size()) > most)
        aged.jobs.resize(size_t(most));
    return aged;
}

Result<std::vector<StoredJob>> LibraryJobs::chosen(const ActionContext& context) const
{
    const Primitive& queue = *context.state.primitive;
    const Layout* layout = findLayout(queue.id.layout);
    if (!layout)
        return notPossible(ActionText::tr("The queue no longer exists"));
    const JobQuery query = queryOf(context.request);
    const std::vector<StoredJob> read =
        layout->jobs(queue, query, context.prefetched.subspan(extraCount(queue)));
    const ActionRequest& request = context.request;
    std::vector<StoredJob> jobs;
    if (request.has("job")) {
        for (const QByteArray& id : idsIn(request.text("job"))) {
            const auto job = std::find_if(read.begin(), read.end(),
                                          [&](const StoredJob& j) { return j.facts.id == id; });
            if (job == read.end() && qint64(read.size()) < query.limit)
                return notPossible(ActionText::tr("Job %1 is not %2")
                                       .arg(displayPreview(id, 60), displayName(query.state)));
            StoredJob named;
            named.facts.id = id;
            jobs.push_back(job == read.end() ? named : *job);
        }
    } else if (request.has("all") || request.has("error") || request.has("name")) {
        for (const StoredJob& job : read) {
            if ((!request.has("error") || job.facts.error == request.text("error")) &&
                (!request.has("name") || job.facts.name == request.text("name")))
                jobs.push_back(job);
        }
    } else {
        return failure(ErrorCode::BadArgument, ActionText::tr("Choose jobs with --job or --all"));
    }
    // What its worker renews is proof that it lives; what there is none of proves nothing.
    if (needsDeadWorker())
        std::erase_if(jobs, [](const StoredJob& j) { return j.facts.leaseAlive == true; });
    if (jobs.empty())
        return notPossible(needsDeadWorker()
                               ? ActionText::tr("The worker of each of these jobs is alive")
                               : ActionText::tr("There are no such jobs"));
    if (qint64(jobs.size()) > query.limit)
        return notPossible(
            ActionText::tr("No more than %1 jobs can be chosen at a time").arg(query.limit));
    return jobs;
}

// What the whole plan says, in its first step.
void LibraryJobs::describe(Plan& plan, const ActionContext& context, const AgedJobs& chosen) const
{
    const int n = int(chosen.jobs.size());
    const QString name = nameOf(context.state);
    const auto rate = context.request.count("rate");
    plan.question = questionOf(m_move.verb, n, name);
    plan.consequence = consequenceOf(m_move.verb);
    if (rate)
        plan.consequence +=
            QLatin1Char(' ') +
            ActionText::tr("%Ln job(s) per second; stopping it leaves the rest as it is.", nullptr,
                           int(*rate));
    if (const qint64 more = chosen.count - n; m_move.aged && (more > 0 || chosen.andMore))
        plan.consequence +=
            QLatin1Char(' ') +
            (chosen.andMore
                 ? ActionText::tr("At least %Ln more job(s) of that age will remain.", nullptr,
                                  int(std::max<qint64>(more, 1)))
                 : ActionText::tr("%Ln more job(s) of that age will remain.", nullptr, int(more)));
    if (m_move.verb == JobVerb::DiscardOld) {
        plan.guard = ActionText::tr("each job is still %1, and has not finished again")
                         .arg(displayName(queryOf(context.request).state));
    }
}

// One script.
Result<Plan> LibraryJobs::step(const ActionContext& context,
                               const std::vector<StoredJob>& jobs) const
{
    const Primitive& queue = *context.state.primitive;
    Plan plan = planFor(*this, context.state);
    const int n = int(jobs.size());
    plan.question = questionOf(m_move.verb, n, nameOf(context.state));
    plan.consequence = consequenceOf(m_move.verb);
    plan.loses = removes();
    const QByteArray state = queryOf(context.request).state;
    plan.expected = ActionText::tr("%1: %2").arg(displayName(state), namesOf(jobs));
    plan.guard = needsDeadWorker()
                     ? ActionText::tr("each job is still in progress and nobody holds its lock")
                     : ActionText::tr("each job is still %1").arg(displayName(state));
    for (const StoredJob& job : jobs)
        plan.items.push_back(job.facts.id);
    plan.seen = plan.items;
    plan.objects = n;
    plan.script = m_move.script;
    plan.undo.kind = UndoWay::Kind::Restore;
    LibraryMove move = m_move;
    move.states = {state};
    if (auto filled =
            m_move.fill(plan, move, queue, jobs, context.prefetched.first(extraCount(queue)));
        !filled)
        return tl::unexpected(filled.error());
    if (n > 1)
        plan.commands << ActionText::tr("… and the same for each of the %1 jobs").arg(n);
    return plan;
}

Result<Plan> LibraryJobs::plan(const ActionContext& context) const
{
    if (const auto error = errorAmong(context.prefetched))
        return tl::unexpected(*error);
    AgedJobs all;
    if (m_move.aged) {
        Result<AgedJobs> old = aged(context);
        if (!old)
            return tl::unexpected(old.error());
        all = std::move(*old);
    } else {
        Result<std::vector<StoredJob>> jobs = chosen(context);
        if (!jobs)
            return tl::unexpected(jobs.error());
        all.jobs = std::move(*jobs);
    }
    const auto rate = context.request.count("rate");
    const size_t each = size_t(std::min(rate.value_or(mostLibraryJobs), mostLibraryJobs));
    if (rate.value_or(0) > mostLibraryJobs)
        return failure(ErrorCode::BadArgument,
                       ActionText::tr("--rate takes up to %1").arg(mostLibraryJobs));
    std::vector<Plan> steps;
    for (size_t at = 0; at < all.jobs.size(); at += each) {
        const auto from = all.jobs.begin() + qsizetype(at);
        const auto to = from + qsizetype(std::min(each, all.jobs.size() - at));
        Result<Plan> made = step(context, {from, to});
        if (!made)
            return made;
        made->afterMs = rate && at > 0 ? 1000 : 0;
        steps.push_back(std::move(*made));
    }
    if (steps.size() > 1 || m_move.aged)
        describe(steps.front(), context, all);
    Plan plan = std::move(steps.front());
    plan.further.assign(std::make_move_iterator(steps.begin() + 1),
                        std::make_move_iterator(steps.end()));
    return plan;
}

QByteArray PauseQueue::id() const
{
    return m_pause.resumes ? QByteArrayLiteral("queue.resume") : QByteArrayLiteral("queue.pause");
}

QString PauseQueue::title() const
{
    return m_pause.resumes ? ActionText::tr("Resume queue") : ActionText::tr("Pause queue");
}

QString PauseQueue::summary() const
{
    return m_pause.resumes ? ActionText::tr("let workers take jobs again")
                           : ActionText::tr("stop workers from taking jobs");
}

QString PauseQueue::unavailable(const State& state) const
{
    const QueueState* queue = queueOf(state);
    if (queue && queue->paused != m_pause.resumes)
        return m_pause.resumes ? ActionText::tr("the queue is not paused")
                               : ActionText::tr("the queue is already paused");
    return Action::unavailable(state);
}

std::vector<Command> PauseQueue::prefetch(const State& state, const ActionRequest&,
                                          std::span<const Reply> prefetched) const
{
    return prefetched.empty() && m_pause.reads ? m_pause.reads(*state.primitive)
                                               : std::vector<Command>();
}

Result<Plan> PauseQueue::plan(const ActionContext& context) const
{
    if (const auto error = errorAmong(context.prefetched))
        return tl::unexpected(*error);
    Plan plan = planFor(*this, context.state);
    const QString name = nameOf(context.state);
    plan.question = m_pause.resumes ? ActionText::tr("Resume %1?").arg(name)
                                    : ActionText::tr("Pause %1?").arg(name);
    plan.consequence =
        m_pause.resumes
            ? ActionText::tr("Workers take jobs again.")
            : ActionText::tr(
                  "Workers finish their current jobs and take no new ones; new jobs wait.");
    plan.expected = m_pause.resumes ? ActionText::tr("the queue is paused")
                                    : ActionText::tr("the queue is not paused");
    plan.guard = plan.expected;
    plan.seen = {m_pause.resumes ? "1" : "0"};
    plan.script = m_pause.script;
    plan.undo.kind = UndoWay::Kind::None;
    plan.undo.why = m_pause.resumes ? ActionText::tr("pause the queue instead")
                                    : ActionText::tr("resume the queue instead");
    if (auto filled = m_pause.fill(plan, m_pause, *context.state.primitive, context.prefetched);
        !filled)
        return tl::unexpected(filled.error());
    return plan;
}

} // namespace lk::actions
