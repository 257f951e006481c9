// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/planning/scriptless.h"

#include "backend/libraries/api/action.h"

namespace lk {

namespace {

bool has(const ServerVersion& server, Feature feature)
{
    return supportOf(server, feature) == Support::Yes;
}

bool lacksScripts(const ServerLimits& limits)
{
    const std::optional<Error> refusal = limits.refusal();
    return limits.known && refusal && refusal->code != ErrorCode::Replica;
}

} // namespace

std::optional<Command> removeIfEqual(const ServerVersion& server, const QByteArray& key,
                                     const QByteArray& value)
{
    if (has(server, Feature::DeleteIfEqual))
        return Command{"DELIFEQ", key, value};
    if (has(server, Feature::DeleteExtended))
        return Command{"DELEX", key, "IFEQ", value};
    if (has(server, Feature::SetIfEqual)) // with the value that it has, for a millisecond more
        return Command{"SET", key, value, "IFEQ", value, "PX", "1"};
    return std::nullopt;
}

Reply answerOfIfEqual(const Reply& reply)
{
    if (reply.isError())
        return reply;
    const bool removed = reply.isText() || (reply.isInteger() && reply.integer == 1);
    return Reply::array({Reply::bulk(removed ? "done" : "conflict"), Reply::number(removed ? 1 : 0),
                         Reply::bulk({}), Reply::bulk({}), Reply::array({})});
}

bool mayDoWithoutScripts(const QByteArray& action, const ServerLimits& limits)
{
    return action == "lock.release" && lacksScripts(limits) &&
           removeIfEqual(serverVersion(limits.info), "key", "value").has_value();
}

void replaceScript(Plan& plan, const ServerLimits& limits)
{
    // Only a lock that is a single key, with no list or channel that clients wait on.
    const bool plain =
        plan.script == "lock-release" && plan.keys.size() == 1 && plan.args.size() == 1;
    if (!plain || !mayDoWithoutScripts(plan.action, limits))
        return;
    const auto command =
        removeIfEqual(serverVersion(limits.info), plan.keys.front(), plan.args.front());
    plan.script = ifEqualScript;
    plan.commands = {command->display()};
    plan.undo = {};
    plan.undo.why = ActionText::tr("without EVAL nothing is kept that could undo it");
}

} // namespace lk
