// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/planning/planner.h"

#include "backend/acting/planning/scriptless.h"
#include "backend/libraries/api/layout.h"
#include "backend/polling/reader.h"
#include "backend/redis/topology/clustermap.h"

namespace lk {

namespace {

// Rounds of reading for one plan. Ten pages of jobs kept by id take five each, the queue itself one
// more, and the jobs' relatives three. Jobs in sets that many queues share take eight a page.
constexpr int mostRounds = 100;

// The state of one planning, passed from step to step.
struct Planning
{
    Link& connection;
    const Action& action;
    ActionRequest request;
    ServerLimits limits;
    State state;
    std::vector<Reply> prefetched;
    qint64 nowMs = 0;
    QObject* context;
    PlanHandler handler;
    int rounds = 0;
};
using PlanningPtr = std::shared_ptr<Planning>;

void failLater(QObject* context, const PlanHandler& handler, const Error& error)
{
    QMetaObject::invokeMethod(
        context, [handler, error] { handler(tl::unexpected<Error>(error)); }, Qt::QueuedConnection);
}

void tellDoubt(Plan& plan, const Primitive& primitive)
{
    const QString doubt = doubtText(primitive);
    if (!doubt.isEmpty())
        plan.consequence = plan.consequence.isEmpty() ? doubt : doubt + u' ' + plan.consequence;
}

void finish(const PlanningPtr& p)
{
    Result<Plan> plan = p->action.plan({p->state, p->prefetched, p->request, p->nowMs});
    if (!plan || plan->answer)
        return p->handler(std::move(plan));
    if (p->state.primitive)
        tellDoubt(*plan, *p->state.primitive);
    replaceScript(*plan, p->limits);
    runPreflight(p->connection, *plan, p->limits, p->context,
                 [p, plan = *plan](const std::optional<Error>& refusal) {
                     if (refusal)
                         p->handler(tl::unexpected<Error>(*refusal));
                     else
                         p->handler(plan);
                 });
}

void ask(const PlanningPtr& p, const std::vector<Command>& commands);

void prefetch(const PlanningPtr& p)
{
    const std::vector<Command> commands =
        p->rounds++ < mostRounds ? p->action.prefetch(p->state, p->request, p->prefetched)
                                 : std::vector<Command>();
    if (commands.empty())
        return finish(p);
    ask(p, commands);
}

void ask(const PlanningPtr& p, const std::vector<Command>& commands)
{
    p->connection.send(commands, p->context, [p](const BatchResult& result) {
        if (!result)
            return p->handler(tl::unexpected<Error>(result.error()));
        for (const Reply& reply : *result) {
            // Nothing was said of those keys: taken for an answer it would be a wrong one.
            if (reply.isError() && errorFromReply(reply.text).code == ErrorCode::NodeDown)
                return p->handler(tl::unexpected(errorFromReply(reply.text)));
        }
        p->prefetched.insert(p->prefetched.end(), result->begin(), result->end());
        prefetch(p);
    });
}

void readState(const PlanningPtr& p, ReadRequest request, const ServerClock& clock,
               const Clock& local, FirstSeen* firstSeen)
{
    readPrimitives(p->connection, {std::move(request)}, clock, local, p->context,
                   [p, firstSeen](ReadRound round) {
                       if (round.error)
                           return p->handler(tl::unexpected<Error>(*round.error));
                       p->nowMs = round.serverMs;
                       p->state = std::move(round.outcomes.front().state);
                       if (firstSeen)
                           firstSeen->apply(p->state);
                       if (const QString owned = p->action.ownedElsewhere(p->state);
                           !owned.isEmpty())
                           return p->handler(notPossible(owned));
                       prefetch(p);
                   });
}

} // namespace

void planAction(Link& connection, const PlanTarget& target, const Action& action,
                const ActionRequest& request, const ServerLimits& limits, const ServerClock& clock,
                const Clock& local, QObject* context, PlanHandler handler)
{
    if (const auto problem = problemWith(request, action))
        return failLater(context, handler, *problem);
    const auto p = std::make_shared<Planning>(
        Planning{connection, action, request, limits, {}, {}, 0, context, std::move(handler)});
    p->nowMs = clock.serverMs(local.nowMs());
    // A primitive created through a single cluster node has to be in one of that node's slots.
    if (!target.primitive && !connection.followsCluster() &&
        connection.greeting().mayBeClusterNode())
        return ask(p, ClusterMap::commands());
    if (!target.primitive)
        return prefetch(p);
    ReadRequest read;
    read.primitive = target.primitive;
    read.depth = Depth::Detail;
    readState(p, std::move(read), clock, local, target.firstSeen);
}

} // namespace lk
