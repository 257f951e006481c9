// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/actions/preflight.h"

#include "backend/actions/action.h"
#include "backend/core/keyname.h"
#include "backend/redis/capabilities.h"
#include "backend/redis/keyslot.h"

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

std::optional<Error> aclSays(const BatchResult& result, const Plan& plan)
{
    if (!result || result->front().isError())
        return std::nullopt; // not allowed to ask, or an old server: it is tried
    const QByteArray& text = result->front().text;
    if (text == "OK")
        return std::nullopt;
    return Error{ErrorCode::NoPerm, withoutCodes(text, plan)};
}

} // namespace

std::optional<Error> preflight(const Plan& plan, const ServerInfo& info)
{
    if (plan.script.isEmpty())
        return std::nullopt;
    if (info.isReplica()) // a writable one, too: what is changed there is undone by its master
        return Error{ErrorCode::Replica, info.masterEndpoint()};
    if (info.mode() == QLatin1String("cluster")) {
        for (const QByteArray& key : plan.keys) {
            if (keySlot(key) != keySlot(plan.keys.front()))
                return Error{ErrorCode::NotPossible,
                             ActionText::tr("The keys are in different slots of the cluster, so "
                                            "one script cannot change them together")};
        }
    }
    return std::nullopt;
}

std::optional<Error> preflightConnection(const ServerInfo& seen, const ServerInfo& acting)
{
    if (acting.isReplica())
        return Error{ErrorCode::Replica, acting.masterEndpoint()};
    if (!acting.mayBeSameProcess(seen))
        return Error{ErrorCode::NotPossible,
                     ActionText::tr("A different server now answers at this address")};
    return std::nullopt;
}

void runPreflight(Connection& connection, const Plan& plan, QObject* context,
                  std::function<void(std::optional<Error>)> handler)
{
    std::vector<Command> asked{
        {"INFO"}, {"COMMAND", "INFO", "evalsha"}, {"COMMAND", "INFO", "eval"}};
    if (supportOf(serverVersion(connection.greeting()), Feature::Acl) != Support::No)
        asked.push_back({"ACL", "WHOAMI"});
    connection.send(
        asked, context, [&connection, plan, context, handler](const BatchResult& result) {
            if (!result)
                return handler(result.error());
            const ServerInfo info = ServerInfo::fromReply((*result)[0]);
            if (const auto refusal = preflight(plan, info))
                return handler(refusal);
            if (isMissing((*result)[1]) || isMissing((*result)[2]))
                return handler(Error{ErrorCode::NotPossible,
                                     ActionText::tr("EVAL is not available on this server, and "
                                                    "without it the action cannot be guarded")});
            const Reply user = result->size() > 3 ? (*result)[3] : Reply::nil();
            const Support dryRun = supportOf(serverVersion(info), Feature::AclDryRun);
            if (!user.isText() || dryRun == Support::No)
                return handler(std::nullopt);
            Command dry{"ACL", "DRYRUN", user.text, "EVAL", "return 1",
                        QByteArray::number(qulonglong(plan.keys.size()))};
            for (const QByteArray& key : plan.keys)
                dry << key;
            connection.send({dry}, context, [plan, handler](const BatchResult& tried) {
                handler(aclSays(tried, plan));
            });
        });
}

} // namespace lk
