// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/planning/planner.h"

#include "backend/acting/planning/scriptless.h"
#include "backend/libraries/api/layout.h"
#include "backend/polling/reader.h"
#include "backend/redis/replies.h"
#include "backend/redis/topology/clustermap.h"

namespace lk {

namespace {

// Rounds of reading for one plan. Ten pages of jobs kept by id take five each, the queue itself one
// more, and the jobs' relatives three. Jobs in sets that many queues share take eight a page.
constexpr int mostRounds = 100;

void tellDoubt(Plan& plan, const Primitive& primitive)
{
    const QString doubt = doubtText(primitive);
    if (!doubt.isEmpty())
        plan.consequence = plan.consequence.isEmpty() ? doubt : doubt + u' ' + plan.consequence;
}

// The error of a batch that leaves open what it was to find out.
std::optional<Error> problemWith(const BatchResult& result)
{
    if (!result)
        return result.error();
    for (const Reply& reply : *result) {
        // Nothing was said of those keys: taken for an answer it would be a wrong one.
        if (reply.isError() && errorFromReply(reply.text).code == ErrorCode::NodeDown)
            return errorFromReply(reply.text);
    }
    return std::nullopt;
}

} // namespace

Task<Result<Plan>> planAction(Link& connection, PlanTarget target, const Action& action,
                              ActionRequest request, ServerLimits limits, ServerClock clock,
                              const Clock& local, QObject* context)
{
    if (const auto problem = problemWith(request, action)) {
        co_await nextTurn(context);
        co_return tl::unexpected<Error>(*problem);
    }
    State state;
    qint64 nowMs = clock.serverMs(local.nowMs());
    if (target.primitive) {
        ReadRequest read;
        read.primitive = target.primitive;
        read.depth = Depth::Detail;
        ReadRound round = co_await Awaited<ReadRound>(
            [&](auto then) { readPrimitives(connection, {read}, clock, local, context, then); });
        if (round.error)
            co_return tl::unexpected<Error>(*round.error);
        nowMs = round.serverMs;
        state = std::move(round.outcomes.front().state);
        if (target.firstSeen)
            target.firstSeen->apply(state);
        if (const QString owned = action.ownedElsewhere(state); !owned.isEmpty())
            co_return notPossible(owned);
    }
    // A primitive created through a single cluster node has to be in one of that node's slots.
    const bool needsMap = !target.primitive && !connection.followsCluster() &&
                          connection.greeting().mayBeClusterNode();
    std::vector<Reply> prefetched;
    std::vector<Command> commands =
        needsMap ? ClusterMap::commands() : action.prefetch(state, request, prefetched);
    for (int rounds = 1; !commands.empty(); ++rounds) {
        const BatchResult result = co_await replies(connection, commands, context);
        if (const auto problem = problemWith(result))
            co_return tl::unexpected<Error>(*problem);
        prefetched.insert(prefetched.end(), result->begin(), result->end());
        commands = rounds < mostRounds ? action.prefetch(state, request, prefetched)
                                       : std::vector<Command>();
    }
    Result<Plan> plan = action.plan({state, prefetched, request, nowMs});
    if (!plan || plan->answer)
        co_return plan;
    if (state.primitive)
        tellDoubt(*plan, *state.primitive);
    replaceScript(*plan, limits);
    const std::optional<Error> refusal = co_await runPreflight(connection, *plan, limits, context);
    if (refusal)
        co_return tl::unexpected<Error>(*refusal);
    co_return plan;
}

} // namespace lk
