// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/jobs/libraryjobs.h"

#include "backend/libraries/api/keyprefetch.h"
#include "backend/libraries/api/statetexts.h"

#include "backend/core/names/keyname.h"
#include "backend/libraries/api/layout.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/text/time/duration.h"

#include <QLocale>
#include <QSet>

#include <algorithm>
#include <functional>

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

// A stream's listing lacks the start of an entry; the queue's state has it.
std::optional<qint64> startedOf(const StoredJob& job, const QueueState* queue)
{
    if (job.facts.startedMs || !queue)
        return job.facts.startedMs;
    const auto item =
        std::find_if(queue->items.begin(), queue->items.end(),
                     [&](const QueueJob& known) { return known.facts.id == job.facts.id; });
    return item == queue->items.end() ? std::nullopt : item->facts.startedMs;
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

// Jobs that are run again long after they were enqueued may no longer be wanted.
QString ageText(const std::vector<StoredJob>& jobs, JobVerb verb, qint64 nowMs)
{
    constexpr qint64 dayMs = 24LL * 3600 * 1000;
    std::optional<qint64> oldest;
    for (const StoredJob& job : jobs) {
        if (job.facts.enqueuedMs)
            oldest = std::min(oldest.value_or(nowMs), *job.facts.enqueuedMs);
    }
    const bool runs = verb == JobVerb::Requeue || verb == JobVerb::Retry;
    if (!runs || !oldest || nowMs - *oldest < dayMs)
        return {};
    return QLatin1Char(' ') + ActionText::tr("The oldest was enqueued %1 ago: check that it is "
                                             "still wanted.")
                                  .arg(formatDuration(nowMs - *oldest));
}

// Answers the read from these replies, as far as they go. Returns where its replies end. next: what
// it still asks.
template<typename T>
size_t answer(Read<T>& read, std::span<const Reply> all, size_t from, std::vector<Command>& next)
{
    while (!read.isDone() && from + read.commands().size() <= all.size()) {
        const size_t asked = read.commands().size();
        read.next(all.subspan(from, asked));
        from += asked;
    }
    next = read.isDone() ? std::vector<Command>() : read.commands();
    return from;
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
    if (queue && !m_move.byName &&
        std::all_of(m_move.states.begin(), m_move.states.end(),
                    [&](const QByteArray& name) { return countIn(*queue, name) == 0; }))
        return ActionText::tr("no job is there");
    if (queue && needsDeadWorker() && queue->stuck == 0 && !queue->itemsTruncated && !m_move.byName)
        return ActionText::tr("the worker of each job is alive");
    return Action::unavailable(state);
}

QByteArray LibraryJobs::stateOf(const ActionRequest& request) const
{
    const QByteArray asked = request.text("state");
    const bool known =
        std::find(m_move.states.begin(), m_move.states.end(), asked) != m_move.states.end();
    return known ? asked : m_move.states.front();
}

// Uses the time of the state, so that reading and choosing use the same time.
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
    const size_t extra = extraCount(*state.primitive);
    if (prefetched.empty() && extra > 0)
        return m_move.reads(*state.primitive);
    if (errorAmong(prefetched))
        return {};
    const Listed read = listed(state, request, prefetched);
    if (!read.next.empty() || !m_move.ofJob)
        return read.next;
    const auto jobs = wanted(state, request, read);
    return jobs ? toldOf(*state.primitive, jobs->jobs, prefetched.subspan(read.end)).next
                : std::vector<Command>();
}

// Goes through the replies step by step. They are ordered by step, and within a step by job.
LibraryJobs::Told LibraryJobs::toldOf(const Primitive& queue, const std::vector<StoredJob>& jobs,
                                      std::span<const Reply> replies) const
{
    Told told;
    told.ofJobs.resize(jobs.size());
    while (m_move.ofJob) {
        std::vector<size_t> counts;
        told.next.clear();
        for (size_t i = 0; i < jobs.size(); ++i) {
            std::vector<Command> commands = m_move.ofJob(queue, jobs[i], told.ofJobs[i]);
            counts.push_back(commands.size());
            told.next.insert(told.next.end(), std::make_move_iterator(commands.begin()),
                             std::make_move_iterator(commands.end()));
        }
        if (told.next.empty() || replies.size() < told.next.size())
            break;
        for (size_t i = 0; i < jobs.size(); ++i) {
            const std::span<const Reply> own = replies.first(counts[i]);
            told.ofJobs[i].insert(told.ofJobs[i].end(), own.begin(), own.end());
            replies = replies.subspan(counts[i]);
        }
    }
    return told;
}

LibraryJobs::Listed LibraryJobs::listed(const State& state, const ActionRequest& request,
                                        std::span<const Reply> prefetched) const
{
    Listed listed;
    listed.end = std::min(extraCount(*state.primitive), prefetched.size());
    const Layout* layout = findLayout(state.primitive->id.layout);
    if (m_move.aged) {
        const Primitive& queue = *state.primitive;
        const QByteArray of = stateOf(request);
        const qint64 before = beforeMs(state, request);
        Read<AgedJobs> read = m_move.aged(queue, of, before);
        listed.end = answer(read, prefetched, listed.end, listed.next);
        if (read.isDone())
            listed.aged = read.take();
    } else if (layout) {
        addPages(listed, *layout, state, request, prefetched);
    }
    return listed;
}

// Reads page by page. A page has fewer jobs if they are large. Jobs chosen by id or by age are
// searched only in the first page.
void LibraryJobs::addPages(Listed& listed, const Layout& layout, const State& state,
                           const ActionRequest& request, std::span<const Reply> prefetched) const
{
    constexpr qint64 pageJobs = 1000;
    constexpr qint64 mostBytes = 64 * 1024 * 1024; // of all payloads
    const Primitive& queue = *state.primitive;
    const QByteArray of = stateOf(request);
    const bool onePage = request.has("job") || request.has("older-than");
    const qint64 most = onePage ? mostLibraryJobs : mostJobsInSteps;
    const QueueState* body = queueOf(state);
    const auto total = body ? countOfState(*body, of) : std::nullopt;
    QSet<QByteArray> known; // ids of earlier pages: jobs move in their list meanwhile
    qint64 bytes = 0;
    while (!listed.isAll && listed.searched < most && bytes < mostBytes) {
        const JobQuery page{of, listed.searched, std::min(pageJobs, most - listed.searched)};
        Read<std::vector<StoredJob>> read = layout.readJobs(queue, page);
        const size_t end = answer(read, prefetched, listed.end, listed.next);
        if (!read.isDone())
            return;
        std::vector<StoredJob> jobs = read.take();
        listed.end = end;
        listed.searched += qint64(jobs.size());
        listed.isAll = jobs.empty() || (total && listed.searched >= *total);
        const size_t first = listed.jobs.size();
        for (StoredJob& job : jobs) {
            bytes += job.payload.size();
            if (!known.contains(job.facts.id))
                listed.jobs.push_back(std::move(job));
        }
        for (size_t i = first; i < listed.jobs.size(); ++i) {
            // Without ids, two jobs with the same bytes are two jobs.
            if (const QByteArray& id = listed.jobs[i].facts.id; !id.isEmpty())
                known.insert(id);
        }
        if (onePage)
            return;
    }
}

Result<AgedJobs> LibraryJobs::aged(const ActionRequest& request, AgedJobs aged) const
{
    const qint64 most = request.count("most").value_or(mostLibraryJobs);
    if (most > mostAgedJobs)
        return failure(ErrorCode::BadArgument,
                       ActionText::tr("--most takes up to %1").arg(mostAgedJobs));
    if (aged.jobs.empty())
        return notPossible(ActionText::tr("No job finished longer ago than that"));
    if (qint64(aged.jobs.size()) > most)
        aged.jobs.resize(size_t(most));
    return aged;
}

Result<std::vector<StoredJob>> LibraryJobs::chosen(const State& state, const ActionRequest& request,
                                                   const Listed& listed) const
{
    if (!findLayout(state.primitive->id.layout))
        return notPossible(ActionText::tr("The queue no longer exists"));
    const QByteArray of = stateOf(request);
    const std::vector<StoredJob>& read = listed.jobs;
    std::vector<StoredJob> jobs;
    if (request.has("job")) {
        for (const QByteArray& id : idsIn(request.text("job"))) {
            const auto job = std::find_if(read.begin(), read.end(),
                                          [&](const StoredJob& j) { return j.facts.id == id; });
            if (job == read.end() && listed.searched < mostLibraryJobs && !m_move.byName)
                return notPossible(ActionText::tr("Job %1 is not %2")
                                       .arg(displayPreview(id, 60), displayName(of)));
            StoredJob named;
            named.facts.id = id;
            jobs.push_back(job == read.end() ? named : *job);
        }
        if (qint64(jobs.size()) > mostLibraryJobs)
            return notPossible(ActionText::tr("No more than %1 jobs can be chosen at a time")
                                   .arg(mostLibraryJobs));
    } else if (request.has("all") || request.has("error") || request.has("name")) {
        for (const StoredJob& job : read) {
            if ((!request.has("error") || job.facts.error == request.text("error")) &&
                (!request.has("name") || job.facts.name == request.text("name")))
                jobs.push_back(job);
        }
    } else if (const auto olderThan = request.durationMs("older-than")) {
        const qint64 before = state.asOfMs - *olderThan;
        std::copy_if(read.begin(), read.end(), std::back_inserter(jobs), [&](const StoredJob& job) {
            const std::optional<qint64> startedMs = startedOf(job, queueOf(state));
            return startedMs && *startedMs <= before;
        });
        if (jobs.empty() && !read.empty())
            return notPossible(ActionText::tr("No job is known to have been in progress for %1 yet")
                                   .arg(formatDuration(*olderThan)));
    } else {
        return failure(ErrorCode::BadArgument, ActionText::tr("Choose jobs with --job or --all"));
    }
    if (jobs.empty())
        return notPossible(ActionText::tr("There are no such jobs"));
    // A lease that is renewed proves that the worker is alive; no lease proves nothing.
    if (needsDeadWorker())
        std::erase_if(jobs, [](const StoredJob& j) { return j.facts.leaseAlive == true; });
    if (jobs.empty())
        return notPossible(ActionText::tr("The worker of each of these jobs is alive"));
    return jobs;
}

Result<AgedJobs> LibraryJobs::wanted(const State& state, const ActionRequest& request,
                                     const Listed& listed) const
{
    if (m_move.aged)
        return aged(request, listed.aged);
    Result<std::vector<StoredJob>> jobs = chosen(state, request, listed);
    if (!jobs)
        return tl::unexpected(jobs.error());
    AgedJobs all;
    all.jobs = std::move(*jobs);
    return all;
}

Result<QString> LibraryJobs::leaveOut(const Primitive& queue, std::vector<StoredJob>& jobs,
                                      std::vector<std::vector<Reply>>& told) const
{
    if (!m_move.objection || jobs.empty())
        return QString();
    std::vector<StoredJob> left;
    std::vector<std::vector<Reply>> ofLeft;
    QString why;
    for (size_t i = 0; i < jobs.size(); ++i) {
        const QString objection = m_move.objection(queue, m_move.verb, jobs[i], told[i]);
        if (why.isEmpty())
            why = objection;
        if (!objection.isEmpty())
            continue;
        left.push_back(std::move(jobs[i]));
        ofLeft.push_back(std::move(told[i]));
    }
    const int out = int(jobs.size() - left.size());
    if (left.empty())
        return notPossible(why);
    jobs = std::move(left);
    told = std::move(ofLeft);
    return out == 0 ? QString()
                    : ActionText::tr("%Ln job(s) are left out. %1.", nullptr, out).arg(why);
}

// Reports how many jobs were searched, so that the matches are not mistaken for all.
QString LibraryJobs::searchedText(const ActionContext& context, const Listed& listed,
                                  qint64 matching) const
{
    const ActionRequest& request = context.request;
    const bool chosenByKind = request.has("error") || request.has("name");
    if (request.has("job") || !(chosenByKind || request.has("all")) ||
        (listed.isAll && !chosenByKind))
        return {};
    const QByteArray state = stateOf(request);
    const QueueState* queue = queueOf(context.state);
    const std::optional<qint64> total = queue ? countOfState(*queue, state) : std::nullopt;
    const QLocale locale;
    if (listed.isAll)
        return ActionText::tr("All %1 jobs that are %2 were searched; %3 match.")
            .arg(locale.toString(listed.searched), displayName(state), locale.toString(matching));
    return ActionText::tr("Only the first %1 of %2 jobs that are %3 were searched; %4 of them "
                          "match. Plan again for the rest.")
        .arg(locale.toString(listed.searched),
             total ? locale.toString(*total) : QStringLiteral("?"), displayName(state),
             locale.toString(matching));
}

// Sets the texts of the whole plan in its first step.
void LibraryJobs::describe(Plan& plan, const ActionContext& context, const AgedJobs& chosen) const
{
    const int n = int(chosen.jobs.size());
    const QString name = nameOf(context.state);
    const auto rate = context.request.count("rate");
    plan.question = questionOf(m_move.verb, n, name);
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
                         .arg(displayName(stateOf(context.request)));
    }
}

// The plan of one script.
Result<Plan> LibraryJobs::step(const ActionContext& context, const std::vector<StoredJob>& jobs,
                               std::vector<std::vector<Reply>> told) const
{
    const Primitive& queue = *context.state.primitive;
    Plan plan = planFor(*this, context.state);
    const int n = int(jobs.size());
    plan.question = questionOf(m_move.verb, n, nameOf(context.state));
    plan.consequence = consequenceOf(m_move.verb) + ageText(jobs, m_move.verb, context.nowMs);
    plan.loses = removes();
    const QByteArray state = stateOf(context.request);
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
    move.told = std::move(told);
    if (auto filled =
            m_move.fill(plan, move, queue, jobs, context.prefetched.first(extraCount(queue)));
        !filled)
        return tl::unexpected(filled.error());
    if (n > 1)
        plan.commands << ActionText::tr("… and the same for each of the %1 jobs").arg(n);
    return plan;
}

// LREM searches a list from its end and blocks the server: about 5 ms for entriesAtOnce. Which
// states are lists is unknown; long ones are treated as lists.
size_t LibraryJobs::mostAtOnce(const ActionContext& context) const
{
    constexpr qint64 entriesAtOnce = 200'000;
    const auto* queue = context.state.as<QueueState>();
    const QByteArray name = stateOf(context.request);
    qint64 length = 0;
    for (const JobState& state : queue ? queue->states : std::vector<JobState>()) {
        const bool list = state.role == JobRole::Ready || state.role == JobRole::Paused ||
                          state.role == JobRole::Processing;
        if (state.name == name && list)
            length = state.count.value_or(0);
    }
    return size_t(
        std::clamp<qint64>(entriesAtOnce / std::max<qint64>(length, 1), 1, mostLibraryJobs));
}

Result<Plan> LibraryJobs::plan(const ActionContext& context) const
{
    if (const auto error = errorAmong(context.prefetched))
        return tl::unexpected(*error);
    const Primitive& queue = *context.state.primitive;
    const Listed read = listed(context.state, context.request, context.prefetched);
    if (!read.next.empty())
        return notPossible(ActionText::tr("The list could not be read"));
    Result<AgedJobs> jobs = wanted(context.state, context.request, read);
    if (!jobs)
        return tl::unexpected(jobs.error());
    AgedJobs& all = *jobs;
    const auto matching = qint64(all.jobs.size());
    Told told = toldOf(queue, all.jobs, context.prefetched.subspan(read.end));
    if (!told.next.empty())
        return notPossible(ActionText::tr("The list could not be read"));
    const Result<QString> leftOut = leaveOut(queue, all.jobs, told.ofJobs);
    if (!leftOut)
        return tl::unexpected(leftOut.error());
    if (m_move.lastFirst) {
        std::reverse(all.jobs.begin(), all.jobs.end());
        std::reverse(told.ofJobs.begin(), told.ofJobs.end());
    }
    const auto rate = context.request.count("rate");
    const size_t each = std::min(size_t(rate.value_or(mostLibraryJobs)), mostAtOnce(context));
    if (rate.value_or(0) > mostLibraryJobs)
        return failure(ErrorCode::BadArgument,
                       ActionText::tr("--rate takes up to %1").arg(mostLibraryJobs));
    std::vector<Plan> steps;
    for (size_t at = 0; at < all.jobs.size(); at += each) {
        const auto from = all.jobs.begin() + qsizetype(at);
        const auto to = from + qsizetype(std::min(each, all.jobs.size() - at));
        const auto of = told.ofJobs.begin() + qsizetype(at);
        Result<Plan> made = step(context, {from, to}, {of, of + (to - from)});
        if (!made)
            return made;
        made->afterMs = rate && at > 0 ? 1000 : 0;
        steps.push_back(std::move(*made));
    }
    if (steps.size() > 1 || m_move.aged)
        describe(steps.front(), context, all);
    const QString searched = m_move.aged ? QString() : searchedText(context, read, matching);
    for (const QString& more : {searched, *leftOut}) {
        if (!more.isEmpty())
            steps.front().consequence += QLatin1Char(' ') + more;
    }
    Plan plan = std::move(steps.front());
    plan.further.assign(std::make_move_iterator(steps.begin() + 1),
                        std::make_move_iterator(steps.end()));
    return plan;
}

qsizetype keyIndex(std::vector<QByteArray>& keys, const QByteArray& key)
{
    const auto known = std::find(keys.begin(), keys.end(), key);
    const qsizetype at = known - keys.begin() + 1;
    if (known == keys.end())
        keys.push_back(key);
    return at;
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
