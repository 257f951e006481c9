// SPDX-License-Identifier: GPL-3.0-or-later
// Actions for one-time tokens. A valid code is a secret: it is shown once and never stored.
#include "backend/libraries/families/tokens/tokenactions.h"
#include "backend/libraries/api/keyprefetch.h"
#include "backend/libraries/api/statetexts.h"
#include "backend/libraries/families/tokens/tokencode.h"

#include "backend/core/names/keyname.h"
#include "backend/libraries/api/layout.h"
#include "backend/redis/topology/clustermap.h"
#include "backend/redis/topology/keyslot.h"
#include "backend/text/statewords.h"
#include "backend/text/time/duration.h"

namespace lk::actions {

namespace {

using Type = ActionParameter::Type;

QString seenToken(const State& state)
{
    const QString left = state.ttlMs
                             ? ActionText::tr("expires in %1").arg(formatDuration(*state.ttlMs))
                             : ActionText::tr("no TTL");
    return stateWord(state) + QStringLiteral(", ") + left;
}

ActionParameter ttlParameter(const QString& help)
{
    return {
        QByteArrayLiteral("ttl"), Type::Duration, ActionText::tr("Lifetime"), help, true, {}, {}};
}

class IssueToken final : public Action
{
public:
    QByteArray id() const override { return QByteArrayLiteral("token.issue"); }
    QString title() const override { return ActionText::tr("Issue"); }
    QString summary() const override { return ActionText::tr("issue a new one-time token"); }
    bool needsTarget() const override { return false; }
    QString unavailable(const State&) const override { return {}; }
    std::vector<ActionParameter> parameters() const override
    {
        return {{QByteArrayLiteral("prefix"),
                 Type::Text,
                 ActionText::tr("Prefix"),
                 ActionText::tr("prefix of the key's name, such as code:"),
                 true,
                 {},
                 {}},
                ttlParameter(ActionText::tr("how long it is valid, such as 1h")),
                {QByteArrayLiteral("payload"),
                 Type::Payload,
                 ActionText::tr("Payload"),
                 ActionText::tr("the value its redeemer gets; default: 1"),
                 false,
                 {},
                 {}},
                {QByteArrayLiteral("hash"),
                 Type::Flag,
                 ActionText::tr("Count uses"),
                 ActionText::tr("store a hash with used_by instead of a string"),
                 false,
                 {},
                 {}},
                {QByteArrayLiteral("length"),
                 Type::Count,
                 ActionText::tr("Length"),
                 ActionText::tr("number of characters in the code"),
                 false,
                 {},
                 QByteArray::number(codeLength)},
                {QByteArrayLiteral("alphabet"),
                 Type::Text,
                 ActionText::tr("Alphabet"),
                 ActionText::tr("characters to make the code of"),
                 false,
                 {},
                 codeAlphabet}};
    }
    Result<Plan> plan(const ActionContext& context) const override;
};

// True if the name has a hash tag, which alone decides the slot.
bool isTagged(const QByteArray& name)
{
    const qsizetype open = name.indexOf('{');
    return open >= 0 && name.indexOf('}', open + 1) > open + 1;
}

// A code whose key belongs to the connected node. In a cluster, most draws are in vain.
Result<QByteArray> ownCode(const QByteArray& prefix, const ActionRequest& request,
                           const std::optional<ClusterMap>& cluster)
{
    constexpr int mostTries = 200'000; // a node may have a single slot of 16,384
    QByteArray key;
    for (int i = 0; i < mostTries; ++i) {
        Result<QByteArray> code =
            randomCode(request.count("length").value_or(codeLength),
                       request.has("alphabet") ? request.text("alphabet") : codeAlphabet);
        if (!code || !cluster)
            return code;
        const ClusterMap::Node* self = cluster->myself();
        if (!self || self->ranges.empty())
            return notPossible(ActionText::tr("This node of the cluster has no slots: connect to a "
                                              "master"));
        key = prefix + *code;
        if (self->owns(keySlot(key)))
            return code;
        if (isTagged(prefix))
            break; // all codes have the same slot
    }
    const ClusterMap::Node* owner = cluster->ownerOf(keySlot(key));
    return notPossible(ActionText::tr("%1 is in slot %2, served by %3: connect there, or leave "
                                      "out the braces")
                           .arg(displayName(prefix))
                           .arg(keySlot(key))
                           .arg(owner ? owner->endpoint : ActionText::tr("nobody")));
}

Result<Plan> IssueToken::plan(const ActionContext& context) const
{
    const ActionRequest& request = context.request;
    const QByteArray prefix = request.text("prefix");
    const qint64 ttlMs = *request.durationMs("ttl");
    const Result<QByteArray> code =
        ownCode(prefix, request, ClusterMap::fromReplies(context.prefetched));
    if (!code)
        return tl::unexpected(code.error());
    const bool hash = request.has("hash");
    const QByteArray payload = request.has("payload") ? request.text("payload") : QByteArray("1");
    const QByteArray lifetime = QByteArray::number(ttlMs);
    const QByteArray masked = prefix + QByteArrayLiteral("•••");
    Plan plan = planFor(*this, context.state);
    plan.kind = Kind::Token;
    plan.layout = plainestLayout(Kind::Token, hash ? KeyType::Hash : KeyType::String)->id();
    plan.name = prefix + *code;
    plan.journalName = maskedToken(plan.name, prefix);
    plan.question = ActionText::tr("Issue the token %1, valid for %2?")
                        .arg(displayName(prefix) + QStringLiteral("…"), formatDuration(ttlMs));
    plan.consequence = ActionText::tr("Anyone with the code can redeem it once. The code is shown "
                                      "only once.");
    plan.expected = ActionText::tr("%Ln byte(s) of payload", nullptr, int(payload.size()));
    plan.guard = ActionText::tr("no such token exists");
    plan.keys = {plan.name};
    if (hash) {
        plan.script = QByteArrayLiteral("token-issue-hash");
        plan.args = {lifetime, "used_by", "0", "payload", payload};
        plan.commands = {shown({"HSET", masked, "used_by", "0", "payload", "•••"}),
                         shown({"PEXPIRE", masked, lifetime})};
    } else {
        plan.script = QByteArrayLiteral("token-issue");
        plan.args = {payload, lifetime};
        plan.commands = {shown({"SET", masked, "•••", "NX", "PX", lifetime})};
    }
    plan.revealed = *code;
    plan.undo.kind = UndoWay::Kind::Restore;
    return plan;
}

class ValidateToken final : public Action
{
public:
    QByteArray id() const override { return QByteArrayLiteral("token.validate"); }
    QString title() const override { return ActionText::tr("Check token"); }
    QString summary() const override
    {
        return ActionText::tr("check whether a token is valid, without using it");
    }
    bool writes() const override { return false; }
    QString unavailable(const State&) const override { return {}; }
    Result<Plan> plan(const ActionContext& context) const override
    {
        const auto* token = context.state.as<TokenState>();
        if (context.state.problem)
            return tl::unexpected(*context.state.problem);
        Plan plan = planFor(*this, context.state);
        plan.question = ActionText::tr("Check the token %1?").arg(nameOf(context.state));
        const bool live = context.state.present && token && token->phase == TokenState::Phase::Live;
        plan.expected = seenToken(context.state);
        plan.answer =
            Answer{live, live ? ActionText::tr("Valid: %1").arg(seenToken(context.state))
                         : context.state.present
                             ? ActionText::tr("Not valid: %1").arg(seenToken(context.state))
                             : ActionText::tr("Not valid: it does not exist (never "
                                              "issued, used or expired)")};
        return plan;
    }
};

// Consumes or revokes a token: the same read with different scripts.
class TakeToken final : public Action
{
public:
    explicit TakeToken(bool consume)
        : m_consume(consume)
    {}
    QByteArray id() const override { return m_consume ? "token.consume" : "token.revoke"; }
    QString title() const override
    {
        return m_consume ? ActionText::tr("Consume") : ActionText::tr("Revoke");
    }
    QString summary() const override
    {
        return m_consume ? ActionText::tr("use a token, as the application would")
                         : ActionText::tr("delete a token if it is unchanged");
    }
    bool removes() const override { return true; }
    std::vector<Command> prefetch(const State& state, const ActionRequest&,
                                  std::span<const Reply> prefetched) const override
    {
        return prefetchKey(state.primitive->key("token"), prefetched);
    }
    Result<Plan> plan(const ActionContext& context) const override
    {
        const Result<KeyRead> seen = keyRead(context.prefetched);
        if (!seen)
            return tl::unexpected(seen.error());
        const QByteArray key = context.state.primitive->key("token");
        const bool hash = keyTypeFromName(seen->type) == KeyType::Hash;
        Plan plan = planFor(*this, context.state);
        plan.keys = {key};
        plan.expected = seenToken(context.state);
        plan.undo.kind = UndoWay::Kind::Restore;
        plan.loses = true;
        if (m_consume) {
            plan.question = ActionText::tr("Consume the token %1?").arg(nameOf(context.state));
            plan.consequence = ActionText::tr("The code can no longer be redeemed.");
            plan.guard =
                hash ? ActionText::tr("it exists and is not used") : ActionText::tr("it exists");
            plan.commands =
                hash ? QStringList{shown({"HINCRBY", plan.redactedKey(key), "used_by", "1"})}
                     : QStringList{shown({"GETDEL", plan.redactedKey(key)})};
            plan.script = QByteArrayLiteral("token-consume");
            plan.args = {hash ? "hash" : "string"};
        } else {
            plan.question = ActionText::tr("Revoke the token %1?").arg(nameOf(context.state));
            plan.consequence = ActionText::tr("The code is no longer valid.");
            plan.guard = ActionText::tr("it is unchanged");
            plan.commands = {shown({"DEL", plan.redactedKey(key)})};
            plan.script = QByteArrayLiteral("key-delete");
            plan.args = {seen->type, seen->fingerprint};
            plan.seen = plan.args;
        }
        return plan;
    }

private:
    bool m_consume;
};

class ExtendToken final : public Action
{
public:
    QByteArray id() const override { return QByteArrayLiteral("token.extend"); }
    QString title() const override { return ActionText::tr("Extend"); }
    QString summary() const override
    {
        return ActionText::tr("set the remaining lifetime of a "
                              "token");
    }
    std::vector<ActionParameter> parameters() const override
    {
        return {ttlParameter(ActionText::tr("from now, such as 1h"))};
    }
    std::vector<Command> prefetch(const State& state, const ActionRequest&,
                                  std::span<const Reply> prefetched) const override
    {
        return prefetchKey(state.primitive->key("token"), prefetched);
    }
    Result<Plan> plan(const ActionContext& context) const override
    {
        const Result<KeyRead> seen = keyRead(context.prefetched);
        if (!seen)
            return tl::unexpected(seen.error());
        const qint64 ttlMs = *context.request.durationMs("ttl");
        const QByteArray key = context.state.primitive->key("token");
        const QByteArray expiry =
            seen->ttlMs ? QByteArray::number(context.nowMs + *seen->ttlMs) : QByteArray("-1");
        Plan plan = planFor(*this, context.state);
        plan.question = ActionText::tr("Set the remaining lifetime of the token %1 to %2?")
                            .arg(nameOf(context.state), formatDuration(ttlMs));
        plan.consequence = ActionText::tr("It expires then, whether that is later or earlier than "
                                          "now.");
        plan.expected = seenToken(context.state);
        plan.guard = ActionText::tr("it exists and its expiry is unchanged");
        plan.commands = {shown({"PEXPIRE", plan.redactedKey(key), QByteArray::number(ttlMs)})};
        plan.script = QByteArrayLiteral("key-ttl");
        plan.keys = {key};
        plan.args = {seen->type, expiry, QByteArray::number(ttlMs)};
        plan.seen = {seen->type};
        if (seen->ttlMs)
            plan.seenExpiryMs = context.nowMs + *seen->ttlMs;
        plan.undo.kind = UndoWay::Kind::Restore;
        return plan;
    }
};

class RemoveNeverIssued final : public Action
{
public:
    QByteArray id() const override { return QByteArrayLiteral("token.cleanup"); }
    QString title() const override { return ActionText::tr("Clean up"); }
    QString summary() const override
    {
        return ActionText::tr("delete the use count of a token that was never issued");
    }
    bool removes() const override { return true; }
    QString unavailable(const State& state) const override
    {
        const auto* token = state.as<TokenState>();
        if (state.present && token && token->phase != TokenState::Phase::NeverIssued)
            return ActionText::tr("it was issued");
        return Action::unavailable(state);
    }
    Result<Plan> plan(const ActionContext& context) const override
    {
        if (const QString why = unavailable(context.state); !why.isEmpty())
            return notPossible(why);
        const QByteArray key = context.state.primitive->key("token");
        Plan plan = planFor(*this, context.state);
        plan.question = ActionText::tr("Delete the use count of %1, which was never issued?")
                            .arg(nameOf(context.state));
        plan.consequence = ActionText::tr("No token with this code was issued; nothing depends on "
                                          "the key.");
        plan.expected = seenToken(context.state);
        plan.guard = ActionText::tr("the use count is still all it holds");
        plan.commands = {shown({"DEL", plan.redactedKey(key)})};
        plan.script = QByteArrayLiteral("token-cleanup");
        plan.keys = {key};
        plan.undo.kind = UndoWay::Kind::Restore;
        return plan;
    }
};

} // namespace

const Action& issueToken()
{
    static const IssueToken action;
    return action;
}

const Action& validateToken()
{
    static const ValidateToken action;
    return action;
}

const Action& consumeToken()
{
    static const TakeToken action(true);
    return action;
}

const Action& revokeToken()
{
    static const TakeToken action(false);
    return action;
}

const Action& extendToken()
{
    static const ExtendToken action;
    return action;
}

const Action& removeNeverIssued()
{
    static const RemoveNeverIssued action;
    return action;
}

} // namespace lk::actions
