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
        names << (job.name.isEmpty()
                      ? displayPreview(job.id, 40)
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
    switch (m_move.verb) {
    case JobVerb::Retry:
        return QByteArrayLiteral("queue.retry");
    case JobVerb::Promote:
        return QByteArrayLiteral("queue.promote");
    case JobVerb::Requeue:
        return QByteArrayLiteral("queue.requeue");
    case JobVerb::Remove:
        break;
    }
    return QByteArrayLiteral("queue.remove");
}

QString LibraryJobs::title() const
{
    switch (m_move.verb) {
    case JobVerb::Retry:
        return ActionText::tr("Retry");
    case JobVerb::Promote:
        return ActionText::tr("Promote");
    case JobVerb::Requeue:
        return ActionText::tr("Requeue");
    case JobVerb::Remove:
        break;
    }
    return ActionText::tr("Remove");
}

QString LibraryJobs::summary() const
{
    switch (m_move.verb) {
    case JobVerb::Retry:
        return ActionText::tr("requeue failed jobs");
    case JobVerb::Promote:
        return ActionText::tr("make delayed jobs available to workers now");
    case JobVerb::Requeue:
        return ActionText::tr("return jobs whose worker is gone to the queue");
    case JobVerb::Remove:
        break;
    }
    return ActionText::tr("remove jobs with everything stored about them");
}

std::vector<ActionParameter> LibraryJobs::parameters() const
{
    std::vector<ActionParameter> all{
        {QByteArrayLiteral("job"),
         ActionParameter::Type::Text,
         ActionText::tr("Job"),
         ActionText::tr("ids of jobs, separated by commas"),
         false,
         {},
         {}},
        {QByteArrayLiteral("all"),
         ActionParameter::Type::Flag,
         ActionText::tr("All"),
         ActionText::tr("all jobs of the state, up to %1 at a time").arg(mostLibraryJobs),
         false,
         {},
         {}}};
    if (m_move.verb == JobVerb::Retry) {
        all.push_back({QByteArrayLiteral("error"),
                       ActionParameter::Type::Text,
                       ActionText::tr("Error"),
                       ActionText::tr("only jobs that failed with exactly this error"),
                       false,
                       {},
                       {}});
        all.push_back({QByteArrayLiteral("name"),
                       ActionParameter::Type::Text,
                       ActionText::tr("Name"),
                       ActionText::tr("only jobs of this name"),
                       false,
                       {},
                       {}});
    }
    if (m_move.states.size() > 1)
        all.push_back({QByteArrayLiteral("state"), ActionParameter::Type::Choice,
                       ActionText::tr("State"), ActionText::tr("the state of the jobs"), false,
                       QByteArrayList(m_move.states.begin(), m_move.states.end()),
                       m_move.states.front()});
    return all;
}

QString LibraryJobs::unavailable(const State& state) const
{
    const QueueState* queue = queueOf(state);
    if (queue && std::all_of(m_move.states.begin(), m_move.states.end(),
                             [&](const QByteArray& name) { return countIn(*queue, name) == 0; }))
        return ActionText::tr("no job is there");
    if (queue && m_move.verb == JobVerb::Requeue && queue->stuck == 0 && !queue->itemsTruncated)
        return ActionText::tr("the worker of each job is alive");
    return Action::unavailable(state);
}

JobQuery LibraryJobs::queryOf(const ActionRequest& request) const
{
    const QByteArray asked = request.text("state");
    const bool known =
        std::find(m_move.states.begin(), m_move.states.end(), asked) != m_move.states.end();
    return {known ? asked : m_move.states.front(), 0, mostLibraryJobs};
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
    return layout->jobReads(*state.primitive, queryOf(request), prefetched.subspan(extra));
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
    if (m_move.verb == JobVerb::Requeue)
        std::erase_if(jobs, [](const StoredJob& j) { return j.facts.leaseAlive == true; });
    if (jobs.empty())
        return notPossible(m_move.verb == JobVerb::Requeue
                               ? ActionText::tr("The worker of each of these jobs is alive")
                               : ActionText::tr("There are no such jobs"));
    if (qint64(jobs.size()) > mostLibraryJobs)
        return notPossible(
            ActionText::tr("No more than %1 jobs can be chosen at a time").arg(mostLibraryJobs));
    return jobs;
}

Result<Plan> LibraryJobs::plan(const ActionContext& context) const
{
    if (const auto error = errorAmong(context.prefetched))
        return tl::unexpected(*error);
    const Result<std::vector<StoredJob>> jobs = chosen(context);
    if (!jobs)
        return tl::unexpected(jobs.error());
    const Primitive& queue = *context.state.primitive;
    Plan plan = planFor(*this, context.state);
    const int n = int(jobs->size());
    const QString name = nameOf(context.state);
    switch (m_move.verb) {
    case JobVerb::Retry:
        plan.question = ActionText::tr("Retry %Ln job(s) of %1?", nullptr, n).arg(name);
        plan.consequence =
            ActionText::tr("Workers process them again; what failed may fail again.");
        break;
    case JobVerb::Promote:
        plan.question = ActionText::tr("Promote %Ln job(s) of %1?", nullptr, n).arg(name);
        plan.consequence = ActionText::tr("Workers process them now instead of when they are due.");
        break;
    case JobVerb::Requeue:
        plan.question = ActionText::tr("Requeue %Ln job(s) of %1?", nullptr, n).arg(name);
        plan.consequence = ActionText::tr(
            "Another worker will pick these jobs up and start them from the beginning.");
        break;
    case JobVerb::Remove:
        plan.question = ActionText::tr("Remove %Ln job(s) of %1?", nullptr, n).arg(name);
        plan.consequence = ActionText::tr("The jobs are removed and never processed.");
        plan.loses = true;
        break;
    }
    const QByteArray state = queryOf(context.request).state;
    plan.expected = ActionText::tr("%1: %2").arg(displayName(state), namesOf(*jobs));
    plan.guard = m_move.verb == JobVerb::Requeue
                     ? ActionText::tr("each job is still in progress and nobody holds its lock")
                     : ActionText::tr("each job is still %1").arg(displayName(state));
    for (const StoredJob& job : *jobs)
        plan.items.push_back(job.facts.id);
    plan.seen = plan.items;
    plan.objects = n;
    plan.script = m_move.script;
    plan.undo.kind = UndoWay::Kind::Restore;
    if (auto filled =
            m_move.fill(plan, m_move, queue, *jobs, context.prefetched.first(extraCount(queue)));
        !filled)
        return tl::unexpected(filled.error());
    if (n > 1)
        plan.commands << ActionText::tr("… and the same for each of the %1 jobs").arg(n);
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
