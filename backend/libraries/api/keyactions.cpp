// SPDX-License-Identifier: GPL-3.0-or-later
// Actions for any key of a primitive, whatever its role.
#include "backend/libraries/api/keyactions.h"
#include "backend/libraries/api/keyprefetch.h"

#include "backend/core/names/keyname.h"
#include "backend/text/time/duration.h"

#include <algorithm>

namespace lk::actions {

namespace {

using Type = ActionParameter::Type;

ActionParameter keyParameter()
{
    return {QByteArrayLiteral("key"),
            Type::Text,
            ActionText::tr("Key"),
            ActionText::tr("which of its keys; default: the main key"),
            false,
            {},
            {}};
}

Result<QByteArray> keyOf(const State& state, const ActionRequest& request)
{
    const std::vector<KeyRole>& keys = state.primitive->keys;
    if (!request.has("key"))
        return keys.front().key;
    const QByteArray wanted = request.text("key");
    const auto it = std::find_if(keys.begin(), keys.end(), [&](const KeyRole& k) {
        return k.key == wanted || k.role == wanted;
    });
    if (it == keys.end() || it->key.isEmpty())
        return notPossible(ActionText::tr("No such key: %1").arg(displayName(wanted)));
    return it->key;
}

std::vector<Command> prefetchKeyOf(const State& state, const ActionRequest& request,
                                   std::span<const Reply> prefetched)
{
    const Result<QByteArray> key = keyOf(state, request);
    return key ? prefetchKey(*key, prefetched) : std::vector<Command>();
}

QString seenKey(const KeyRead& seen)
{
    return QStringLiteral("%1, %2, %3")
        .arg(displayName(seen.type))
        .arg(ActionText::tr("%Ln byte(s)", nullptr, int(seen.bytes)))
        .arg(seen.ttlMs ? ActionText::tr("expires in %1").arg(formatDuration(*seen.ttlMs))
                        : ActionText::tr("no TTL"));
}

class SetTtl final : public Action
{
public:
    QByteArray id() const override { return QByteArrayLiteral("key.ttl"); }
    QString title() const override { return ActionText::tr("Set TTL"); }
    QString summary() const override { return ActionText::tr("set or remove the TTL of a key"); }
    std::vector<ActionParameter> parameters() const override
    {
        return {{QByteArrayLiteral("ttl"),
                 Type::Duration,
                 ActionText::tr("TTL"),
                 ActionText::tr("from now, such as 10m"),
                 false,
                 {},
                 {},
                 true},
                {QByteArrayLiteral("none"),
                 Type::Flag,
                 ActionText::tr("No TTL"),
                 ActionText::tr("remove the TTL: the key stays until it is deleted"),
                 false,
                 {},
                 {},
                 true},
                keyParameter()};
    }
    std::vector<Command> prefetch(const State& state, const ActionRequest& request,
                                  std::span<const Reply> prefetched) const override
    {
        return prefetchKeyOf(state, request, prefetched);
    }
    Result<Plan> plan(const ActionContext& context) const override
    {
        const Result<QByteArray> key = keyOf(context.state, context.request);
        if (!key)
            return tl::unexpected(key.error());
        if (context.request.has("ttl") == context.request.has("none"))
            return failure(ErrorCode::BadArgument, ActionText::tr("Give --ttl or --none"));
        const Result<KeyRead> seen = keyRead(context.prefetched);
        if (!seen)
            return tl::unexpected(seen.error());
        const auto ttlMs = context.request.durationMs("ttl");
        const QByteArray next = ttlMs ? QByteArray::number(*ttlMs) : QByteArray("-1");
        const QByteArray expiry =
            seen->ttlMs ? QByteArray::number(context.nowMs + *seen->ttlMs) : QByteArray("-1");
        Plan plan = planFor(*this, context.state);
        plan.question =
            ttlMs ? ActionText::tr("Set the TTL of %1 to %2?")
                        .arg(shownKey(plan.kind, *key), formatDuration(*ttlMs))
                  : ActionText::tr("Remove the TTL of %1?").arg(shownKey(plan.kind, *key));
        plan.consequence = ttlMs ? ActionText::tr("The server deletes the key when the TTL ends.")
                                 : ActionText::tr("The key stays until a client deletes it.");
        plan.expected = seenKey(*seen);
        plan.guard = ActionText::tr("type and TTL are unchanged");
        plan.commands = {ttlMs ? shown({"PEXPIRE", plan.redactedKey(*key), next})
                               : shown({"PERSIST", plan.redactedKey(*key)})};
        plan.script = QByteArrayLiteral("key-ttl");
        plan.keys = {*key};
        plan.args = {seen->type, expiry, next};
        plan.seen = {seen->type};
        if (seen->ttlMs)
            plan.seenExpiryMs = context.nowMs + *seen->ttlMs;
        plan.undo.kind = UndoWay::Kind::Restore;
        return plan;
    }
};

class DeleteKeys final : public Action
{
public:
    QByteArray id() const override { return QByteArrayLiteral("key.delete"); }
    QString title() const override { return ActionText::tr("Delete key"); }
    QString summary() const override { return ActionText::tr("delete a key if it is unchanged"); }
    bool removes() const override { return true; }
    std::vector<ActionParameter> parameters() const override { return {keyParameter()}; }
    std::vector<Command> prefetch(const State& state, const ActionRequest& request,
                                  std::span<const Reply> prefetched) const override
    {
        return prefetchKeyOf(state, request, prefetched);
    }
    Result<Plan> plan(const ActionContext& context) const override
    {
        const Result<QByteArray> key = keyOf(context.state, context.request);
        if (!key)
            return tl::unexpected(key.error());
        const Result<KeyRead> seen = keyRead(context.prefetched);
        if (!seen)
            return tl::unexpected(seen.error());
        Plan plan = planFor(*this, context.state);
        plan.question = ActionText::tr("Delete the key %1?").arg(shownKey(plan.kind, *key));
        plan.consequence = ActionText::tr("Its data is gone for every client that uses it.");
        plan.expected = seenKey(*seen);
        plan.guard = seen->fingerprint.isEmpty()
                         ? ActionText::tr("the type is unchanged; the value is too large to "
                                          "compare")
                         : ActionText::tr("its content is unchanged");
        plan.commands = {shown({"UNLINK", plan.redactedKey(*key)})};
        plan.script = QByteArrayLiteral("key-delete");
        plan.keys = {*key};
        plan.args = {seen->type, seen->fingerprint};
        plan.seen = plan.args;
        plan.loses = true;
        plan.undo.kind = UndoWay::Kind::Restore;
        if (seen->fingerprint.isEmpty())
            plan.undo = {
                UndoWay::Kind::None, {}, {}, {}, false, ActionText::tr("it is too large to keep")};
        return plan;
    }
};

} // namespace

const Action& setTtl()
{
    static const SetTtl action;
    return action;
}

const Action& deleteKeys()
{
    static const DeleteKeys action;
    return action;
}

} // namespace lk::actions
