// SPDX-License-Identifier: GPL-3.0-or-later
// Moves jobs byte for byte in one script, so that no job is lost or duplicated while other clients
// use the queue.
#include "backend/libraries/api/statetexts.h"
#include "backend/libraries/api/targetlist.h"
#include "backend/libraries/families/jobs/jobverb.h"
#include "backend/libraries/families/lists/jobchoice.h"
#include "backend/libraries/families/lists/listactions.h"

#include "backend/core/names/keyname.h"

#include <algorithm>

namespace lk::actions {

namespace {

// The names of the jobs as their lists show them, so that the user recognizes them. Payloads are
// not shown.
QString namesOf(const std::vector<QByteArray>& items)
{
    QStringList lines;
    for (size_t i = 0; i < items.size() && i < 3; ++i)
        lines << ActionText::tr("%1, digest %2", "a job by its size")
                     .arg(ActionText::tr("%Ln byte(s)", nullptr, int(items[i].size())))
                     .arg(fingerprintOf(items[i]), 16, 16, QLatin1Char('0'));
    if (items.size() > 3)
        lines << ActionText::tr("and %Ln more", nullptr, int(items.size() - 3));
    return lines.join(QStringLiteral("; "));
}

// The source, the destination and the verb of a kind of move.
struct Move
{
    JobVerb verb;
    std::vector<JobRole> from; ///< the first is the default
    std::optional<JobRole> to; ///< empty if the jobs are removed
    QByteArray end;            ///< the default end for the items
};

QString emptyText(JobRole role)
{
    if (role == JobRole::Ready)
        return ActionText::tr("no job is waiting");
    if (role == JobRole::Delayed)
        return ActionText::tr("no job is delayed");
    return role == JobRole::Dead ? ActionText::tr("no job is dead-lettered")
                                 : ActionText::tr("no job is in progress");
}

std::optional<qint64> countOf(const QueueState& queue, JobRole role)
{
    if (role == JobRole::Ready)
        return queue.ready;
    if (role == JobRole::Delayed)
        return queue.delayed;
    return role == JobRole::Dead ? queue.dead : queue.processing;
}

class MoveJobs final : public Action
{
public:
    explicit MoveJobs(Move move)
        : m_move(std::move(move))
    {}

    QByteArray id() const override { return idOf(m_move.verb); }
    QString title() const override { return titleOf(m_move.verb); }
    QString summary() const override
    {
        if (!m_move.to)
            return ActionText::tr("discard jobs permanently");
        if (m_move.verb == JobVerb::Requeue)
            return ActionText::tr("return jobs in progress to the queue");
        if (m_move.verb == JobVerb::Promote)
            return summaryOf(m_move.verb);
        return m_move.verb == JobVerb::DeadLetter
                   ? ActionText::tr("move jobs to the list of dead letters")
                   : ActionText::tr("return dead-lettered jobs to the queue");
    }
    bool removes() const override { return !m_move.to; }
    std::vector<JobRole> jobRoles() const override { return m_move.from; }
    std::vector<ActionParameter> parameters() const override
    {
        std::vector<ActionParameter> all = jobParameters();
        QByteArrayList states;
        for (const JobRole role : m_move.from)
            states << jobRoleId(role);
        if (states.size() > 1)
            all.push_back({QByteArrayLiteral("state"), ActionParameter::Type::Choice,
                           ActionText::tr("State"),
                           ActionText::tr("ready: waiting; processing: in progress; delayed; dead"),
                           false, states, states.front()});
        if (m_move.to)
            all.push_back(endParameter(m_move.end));
        return all;
    }
    QString unavailable(const State& state) const override
    {
        const auto* queue = state.as<QueueState>();
        const bool none =
            queue && std::all_of(m_move.from.begin(), m_move.from.end(),
                                 [&](JobRole role) { return countOf(*queue, role) == 0; });
        if (none)
            return m_move.from.size() > 1 ? ActionText::tr("no job is there")
                                          : emptyText(m_move.from[0]);
        if (m_move.to && state.primitive) {
            if (const auto to = writableList(*state.primitive, *m_move.to); !to)
                return to.error().detail;
        }
        return Action::unavailable(state);
    }
    std::vector<Command> prefetch(const State& state, const ActionRequest& request,
                                  std::span<const Reply> prefetched) const override
    {
        return prefetchJobs(state, request, roleOf(request), prefetched);
    }
    Result<Plan> plan(const ActionContext& context) const override;

private:
    JobRole roleOf(const ActionRequest& request) const
    {
        const QByteArray asked = request.text("state");
        for (const JobRole role : m_move.from) {
            if (asked == jobRoleId(role))
                return role;
        }
        return m_move.from.front();
    }
    void describe(Plan& plan, const ActionContext& context, const ChosenJobs& seen) const;
    void drop(Plan& plan, const ChosenJobs& seen) const;
    void move(Plan& plan, const ChosenJobs& seen, const QByteArray& to,
              const QByteArray& end) const;

    Move m_move;
};

void MoveJobs::describe(Plan& plan, const ActionContext& context, const ChosenJobs& seen) const
{
    const int n = int(seen.items.size());
    const QString name = nameOf(context.state);
    if (!m_move.to) {
        plan.question = ActionText::tr("Discard %Ln job(s) of %1?", nullptr, n).arg(name);
        plan.consequence = ActionText::tr("The jobs are removed and never processed.");
    } else if (m_move.verb == JobVerb::Requeue) {
        plan.question = ActionText::tr("Requeue %Ln job(s) of %1?", nullptr, n).arg(name);
        plan.consequence = ActionText::tr("Another worker will pick these jobs up. If the original "
                                          "worker is still alive, a job runs twice.");
    } else if (m_move.verb == JobVerb::DeadLetter) {
        plan.question =
            ActionText::tr("Move %Ln job(s) of %1 to dead letters?", nullptr, n).arg(name);
        plan.consequence = ActionText::tr("Workers do not process them until they are retried.");
    } else if (m_move.verb == JobVerb::Promote) {
        plan.question = ActionText::tr("Promote %Ln job(s) of %1?", nullptr, n).arg(name);
        plan.consequence = ActionText::tr("Workers process them now instead of when they are due.");
    } else {
        plan.question = ActionText::tr("Retry %Ln job(s) of %1?", nullptr, n).arg(name);
        plan.consequence =
            ActionText::tr("Workers process them again; what failed may fail again.");
    }
    plan.expected = ActionText::tr("%1 of %2 in %3: %4")
                        .arg(n)
                        .arg(seen.length)
                        .arg(displayName(seen.list), namesOf(seen.items));
    if (seen.unknown > 0)
        plan.expected += ActionText::tr("; %Ln of unknown age skipped", nullptr, int(seen.unknown));
    plan.guard =
        ActionText::tr("each job is still in %1, byte for byte").arg(displayName(seen.list));
}

// Delayed jobs carry their scores, so that undo knows when they were due.
std::vector<QByteArray> storedItems(const ChosenJobs& seen)
{
    std::vector<QByteArray> stored = seen.items;
    for (size_t i = 0; i < seen.scores.size(); ++i)
        stored[i] = seen.scores[i] + ' ' + seen.items[i];
    return stored;
}

void MoveJobs::drop(Plan& plan, const ChosenJobs& seen) const
{
    const bool delayed = !seen.scores.empty();
    plan.script =
        delayed ? QByteArrayLiteral("queue-discard-delayed") : QByteArrayLiteral("queue-discard");
    plan.keys = {seen.list};
    plan.args = plan.items;
    plan.commands = {delayed ? shown({"ZREM", seen.list, "•••"})
                             : shown({"LREM", seen.list, "-1", "•••"})};
    plan.loses = true;
    plan.undo.script =
        delayed ? QByteArrayLiteral("undo-discard-delayed") : QByteArrayLiteral("queue-restore");
    plan.undo.keys = plan.keys;
}

void MoveJobs::move(Plan& plan, const ChosenJobs& seen, const QByteArray& to,
                    const QByteArray& end) const
{
    const bool delayed = !seen.scores.empty();
    plan.script = delayed ? QByteArrayLiteral("queue-promote") : QByteArrayLiteral("queue-move");
    plan.keys = {seen.list, to};
    plan.args = {end};
    plan.args.insert(plan.args.end(), plan.items.begin(), plan.items.end());
    plan.commands = {delayed ? shown({"ZREM", seen.list, "•••"})
                             : shown({"LREM", seen.list, "-1", "•••"}),
                     shown({end == "next" ? "RPUSH" : "LPUSH", to, "•••"})};
    plan.undo.script = delayed ? QByteArrayLiteral("undo-promote") : QByteArrayLiteral("undo-move");
    plan.undo.keys = {to, seen.list};
    plan.undo.args = {end};
}

Result<Plan> MoveJobs::plan(const ActionContext& context) const
{
    const Result<ChosenJobs> seen = chosenJobs(context, roleOf(context.request));
    if (!seen)
        return tl::unexpected(seen.error());
    Plan plan = planFor(*this, context.state);
    describe(plan, context, *seen);
    plan.items = storedItems(*seen);
    plan.seen = plan.items;
    plan.objects = qint64(seen->items.size());
    plan.undo.kind = UndoWay::Kind::Script;
    plan.undo.appendsItems = true;
    if (!m_move.to) {
        drop(plan, *seen);
    } else {
        const Result<QByteArray> to = writableList(*context.state.primitive, *m_move.to);
        if (!to)
            return tl::unexpected(to.error());
        move(plan, *seen, *to, endOf(context.request, m_move.end));
    }
    if (seen->items.size() > 1)
        plan.commands
            << ActionText::tr("… and the same for each of the %1 jobs").arg(seen->items.size());
    return plan;
}

} // namespace

const Action& requeueJobs()
{
    static const MoveJobs action({JobVerb::Requeue, {JobRole::Processing}, JobRole::Ready, "next"});
    return action;
}

const Action& discardJobs()
{
    static const MoveJobs action(
        {JobVerb::Discard,
         {JobRole::Processing, JobRole::Ready, JobRole::Delayed, JobRole::Dead},
         std::nullopt,
         {}});
    return action;
}

const Action& deadLetterJobs()
{
    static const MoveJobs action({JobVerb::DeadLetter,
                                  {JobRole::Processing, JobRole::Ready, JobRole::Delayed},
                                  JobRole::Dead,
                                  "back"});
    return action;
}

const Action& retryJobs()
{
    static const MoveJobs action({JobVerb::Retry, {JobRole::Dead}, JobRole::Ready, "back"});
    return action;
}

const Action& promoteJobs()
{
    static const MoveJobs action({JobVerb::Promote, {JobRole::Delayed}, JobRole::Ready, "next"});
    return action;
}

} // namespace lk::actions
