// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/planning/preflight.h"

#include "backend/acting/planning/scriptless.h"
#include "backend/core/names/keyname.h"
#include "backend/libraries/api/action.h"
#include "backend/redis/replies.h"
#include "backend/redis/server/capabilities.h"
#include "backend/redis/topology/keyslot.h"

#include <algorithm>

namespace lk {

namespace {

// COMMAND INFO answers nil for what an administrator has renamed away.
bool isMissing(const Reply& reply)
{
    return reply.isArray() && reply.items.size() == 1 && reply.items[0].isNil();
}

// The server names the key that it refuses: a token's holds its code.
QString withoutCodes(QByteArray text, const Plan& plan)
{
    for (const QByteArray& key : plan.keys)
        text.replace(key, plan.redactedKey(key));
    return displayName(text);
}

Command dryRun(const ServerLimits& limits, const std::vector<QByteArray>& keys)
{
    Command dry{"ACL",  "DRYRUN",   limits.user,
                "EVAL", "return 1", QByteArray::number(qulonglong(keys.size()))};
    for (const QByteArray& key : keys)
        dry << key;
    return dry;
}

// Keys of a slot on its way to another node are split between both, or there already: no script can
// have them all, and none is sent after what has gone ahead.
std::optional<Error> splitIn(const BatchResult& result)
{
    const QByteArray text =
        result && result->front().isError() ? result->front().text : QByteArray();
    return text.startsWith("ASK ") || text.startsWith("TRYAGAIN ")
               ? std::optional(errorFromReply(text))
               : std::nullopt;
}

// Empty also where it was not allowed to ask, or the server is too old: it is tried then.
QByteArray denialIn(const BatchResult& result, const Link& connection)
{
    return !result || result->front().isError() || result->front().text == "OK"
               ? QByteArray()
               : withDeniedDatabase(result->front().text, connection.url().database);
}

} // namespace

std::optional<Error> ServerLimits::refusal() const
{
    if (isPast)
        return Error{ErrorCode::NotPossible,
                     ActionText::tr("You are looking at the past; go back to live to act on it")};
    if (info.isReplica()) // a writable one, too: what is changed there is undone by its master
        return Error{ErrorCode::Replica, info.masterEndpoint()};
    if (lacksLuaEngine(info))
        return Error{ErrorCode::NotPossible,
                     ActionText::tr("This server's Lua engine is not loaded (MODULE LIST), and "
                                    "without EVAL the action cannot be guarded")};
    if (!hasScripts)
        return Error{ErrorCode::NotPossible,
                     ActionText::tr("EVAL is not available on this server, and without it the "
                                    "action cannot be guarded")};
    if (!denied.isEmpty())
        return Error{ErrorCode::NoPerm, denied};
    return std::nullopt;
}

Task<Result<ServerLimits>> readLimits(Link& connection, QObject* context)
{
    ServerLimits limits;
    limits.known = true;
    limits.info = connection.greeting();
    std::vector<Command> asked{{"COMMAND", "INFO", "evalsha"}, {"COMMAND", "INFO", "eval"}};
    const ServerVersion server = serverVersion(limits.info);
    if (mayTry(server, Feature::Acl))
        asked.push_back({"ACL", "WHOAMI"});
    const BatchResult result = co_await replies(connection, asked, context);
    if (!result)
        co_return tl::unexpected<Error>(result.error());
    limits.hasScripts = !isMissing((*result)[0]) && !isMissing((*result)[1]);
    const Reply user = result->size() > 2 ? (*result)[2] : Reply::nil();
    if (user.isText())
        limits.user = user.text;
    limits.dryRuns = user.isText() && mayTry(server, Feature::AclDryRun);
    if (!limits.dryRuns)
        co_return limits;
    const BatchResult tried = co_await replies(connection, dryRun(limits, {}), context);
    limits.dryRuns = tried && !tried->front().isError();
    limits.denied = displayName(denialIn(tried, connection));
    co_return limits;
}

std::optional<Error> preflight(const Plan& plan, const ServerLimits& limits)
{
    if (plan.script.isEmpty())
        return std::nullopt;
    const auto refusal = limits.refusal();
    if (refusal && (plan.script != ifEqualScript || refusal->code == ErrorCode::Replica))
        return refusal;
    if (limits.info.mode() == ServerMode::Cluster) {
        for (const QByteArray& key : plan.keys) {
            if (keySlot(key) != keySlot(plan.keys.front()))
                return Error{ErrorCode::NotPossible,
                             ActionText::tr("The keys are in different slots of the cluster, so "
                                            "one script cannot change them together")};
        }
    }
    return std::nullopt;
}

std::optional<Error> preflightConnection(Link& seen, Link& acting)
{
    for (const Link* node : acting.dataNodes()) {
        if (const auto refusal = preflightNode(seen, *node))
            return refusal;
    }
    return std::nullopt;
}

std::optional<Error> preflightNode(Link& seen, const Link& node)
{
    const ServerInfo& info = node.greeting();
    if (info.isReplica())
        return Error{ErrorCode::Replica, info.masterEndpoint()};
    const std::vector<Link*> known = seen.dataNodes();
    const auto same = std::find_if(known.begin(), known.end(), [&node](const Link* other) {
        return other->url().endpoint() == node.url().endpoint();
    });
    if (same != known.end() && !info.mayBeSameProcess((*same)->greeting()))
        return Error{ErrorCode::NotPossible,
                     ActionText::tr("A different server now answers at this address")};
    return std::nullopt;
}

Task<std::optional<Error>> runPreflight(Link& connection, Plan plan, ServerLimits limits,
                                        QObject* context)
{
    std::optional<Error> refusal = preflight(plan, limits);
    if (!refusal && connection.followsCluster() && !plan.script.isEmpty() && !plan.keys.empty()) {
        Command exists{"EXISTS"};
        for (const QByteArray& key : plan.keys)
            exists << key;
        const BatchResult there = co_await Awaited<BatchResult>(
            [&](auto then) { connection.sendUnfollowed(exists, context, then); });
        refusal = splitIn(there);
    }
    if (refusal || !limits.dryRuns || plan.script.isEmpty() || plan.script == ifEqualScript) {
        co_await nextTurn(context);
        co_return refusal;
    }
    const BatchResult tried = co_await replies(connection, dryRun(limits, plan.keys), context);
    const QByteArray denial = denialIn(tried, connection);
    if (!denial.isEmpty())
        refusal = Error{ErrorCode::NoPerm, withoutCodes(denial, plan)};
    co_return refusal;
}

} // namespace lk
