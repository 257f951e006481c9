// SPDX-License-Identifier: GPL-3.0-or-later
// One-time tokens. A code is a secret as long as it is good: it is shown once, and never kept.
#include "backend/actions/actions.h"
#include "backend/actions/keylook.h"
#include "backend/actions/statetexts.h"
#include "backend/actions/tokencode.h"

#include "backend/core/duration.h"
#include "backend/redis/clustermap.h"
#include "backend/redis/keyslot.h"
#include "backend/core/keyname.h"

namespace lk::actions {

namespace {

using Type = ActionParameter::Type;

QString seenToken(const State& state)
{
    const QString left = state.ttlMs ? ActionText::tr("ends in %1").arg(formatDuration(*state.ttlMs))
                                     : ActionText::tr("without an end");
    return stateWord(state) + QStringLiteral(", ") + left;
}

ActionParameter ttlParameter(const QString& help)
{
    return {QByteArrayLiteral("ttl"), Type::Duration, ActionText::tr("Lifetime"), help, true, {}, {}};
}

class IssueToken final : public Action
{
public:
    QByteArray id() const override { return QByteArrayLiteral("token.issue"); }
    QString title() const override { return ActionText::tr("Issue"); }
    QString summary() const override { return ActionText::tr("make a new one-time token"); }
    bool needsTarget() const override { return false; }
    QString unavailable(const State&) const override { return {}; }
    std::vector<ActionParameter> parameters() const override
    {
        return {{QByteArrayLiteral("prefix"), Type::Text, ActionText::tr("Prefix"),
                 ActionText::tr("what the key's name begins with: code:"), true, {}, {}},
                ttlParameter(ActionText::tr("how long it is good: 1h")),
                {QByteArrayLiteral("payload"), Type::Payload, ActionText::tr("Payload"),
                 ActionText::tr("what whoever redeems it gets; 1 unless given"), false, {}, {}},
                {QByteArrayLiteral("hash"), Type::Flag, ActionText::tr("Count its uses"),
                 ActionText::tr("a hash with used_by instead of a string"), false, {}, {}},
                {QByteArrayLiteral("length"), Type::Count, ActionText::tr("Length"),
                 ActionText::tr("characters of the code"), false, {}, QByteArray::number(codeLength)},
                {QByteArrayLiteral("alphabet"), Type::Text, ActionText::tr("Alphabet"),
                 ActionText::tr("the characters that the code is made of"), false, {}, codeAlphabet}};
    }
    // Of a cluster's node, which slots are its own.
    std::vector<Command> look(const State&, const ActionRequest&,
                              std::span<const Reply> looked) const override
    {
        return looked.empty() ? ClusterMap::commands() : std::vector<Command>();
    }
    Result<Plan> plan(const ActionContext& context) const override;
};

// What stands in braces alone decides the slot.
bool isTagged(const QByteArray& name)
{
    const qsizetype open = name.indexOf('{');
    return open >= 0 && name.indexOf('}', open + 1) > open + 1;
}

// A code whose key the node that is asked takes. Of a cluster most are drawn in vain.
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
            break; // all codes lie there
    }
    const ClusterMap::Node* owner = cluster->ownerOf(keySlot(key));
    return notPossible(ActionText::tr("%1 lies in slot %2 of the cluster, which %3 serves: connect "
                                      "there, or leave the braces out")
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
        ownCode(prefix, request, ClusterMap::fromReplies(context.looked));
    if (!code)
        return tl::unexpected(code.error());
    const bool hash = request.has("hash");
    const QByteArray payload = request.has("payload") ? request.text("payload") : QByteArray("1");
    const QByteArray lifetime = QByteArray::number(ttlMs);
    const QByteArray masked = prefix + QByteArrayLiteral("•••");
    Plan plan = planFor(*this, context.state);
    plan.kind = Kind::Token;
    plan.layout = hash ? QByteArrayLiteral("hash-token") : QByteArrayLiteral("string-token");
    plan.name = prefix + *code;
    plan.journalName = maskedToken(plan.name, prefix);
    plan.question = ActionText::tr("Issue a token %1 that is good for %2?")
                        .arg(displayName(prefix) + QStringLiteral("…"), formatDuration(ttlMs));
    plan.consequence = ActionText::tr("Whoever has the code can redeem it once. It is shown once.");
    plan.expected = ActionText::tr("%Ln byte(s) of payload", nullptr, int(payload.size()));
    plan.guard = ActionText::tr("there is no such token");
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
    QString title() const override { return ActionText::tr("Is it good?"); }
    QString summary() const override
    {
        return ActionText::tr("tell whether a token is good, without using it");
    }
    bool writes() const override { return false; }
    QString unavailable(const State&) const override { return {}; }
    Result<Plan> plan(const ActionContext& context) const override
    {
        const auto* token = context.state.as<TokenState>();
        if (context.state.problem)
            return tl::unexpected(*context.state.problem);
        Plan plan = planFor(*this, context.state);
        plan.question = ActionText::tr("Is the token %1 good?").arg(nameOf(context.state));
        const bool live =
            context.state.present && token && token->phase == TokenState::Phase::Live;
        plan.expected = seenToken(context.state);
        plan.answer = Answer{live, live ? ActionText::tr("Yes: %1").arg(seenToken(context.state))
                                   : context.state.present
                                       ? ActionText::tr("No: %1").arg(seenToken(context.state))
                                       : ActionText::tr("No: it is not there: never issued, used "
                                                        "or expired")};
        return plan;
    }
};

// Consuming and revoking: the same look, another script.
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
        return m_consume ? ActionText::tr("use a token up, as the application would")
                         : ActionText::tr("delete a token, if it is what was seen");
    }
    bool removes() const override { return true; }
    std::vector<Command> look(const State& state, const ActionRequest&,
                              std::span<const Reply> looked) const override
    {
        return lookAtKey(state.primitive->key("token"), looked);
    }
    Result<Plan> plan(const ActionContext& context) const override
    {
        const Result<KeySeen> seen = keySeen(context.looked);
        if (!seen)
            return tl::unexpected(seen.error());
        const QByteArray key = context.state.primitive->key("token");
        const bool hash = seen->type == "hash";
        Plan plan = planFor(*this, context.state);
        plan.keys = {key};
        plan.expected = seenToken(context.state);
        plan.undo.kind = UndoWay::Kind::Restore;
        plan.loses = true;
        if (m_consume) {
            plan.question = ActionText::tr("Consume the token %1?").arg(nameOf(context.state));
            plan.consequence = ActionText::tr("Whoever holds the code cannot redeem it any more.");
            plan.guard = hash ? ActionText::tr("it is there and not used")
                              : ActionText::tr("it is there");
            plan.commands = hash ? QStringList{shown({"HINCRBY", plan.toldKey(key), "used_by", "1"})}
                                 : QStringList{shown({"GETDEL", plan.toldKey(key)})};
            plan.script = QByteArrayLiteral("token-consume");
            plan.args = {hash ? "hash" : "string"};
        } else {
            plan.question = ActionText::tr("Revoke the token %1?").arg(nameOf(context.state));
            plan.consequence = ActionText::tr("Whoever holds the code is told that there is none.");
            plan.guard = ActionText::tr("it still is what was seen");
            plan.commands = {shown({"DEL", plan.toldKey(key)})};
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
    QString summary() const override { return ActionText::tr("let a token be good for longer"); }
    std::vector<ActionParameter> parameters() const override
    {
        return {ttlParameter(ActionText::tr("how long from now: 1h"))};
    }
    std::vector<Command> look(const State& state, const ActionRequest&,
                              std::span<const Reply> looked) const override
    {
        return lookAtKey(state.primitive->key("token"), looked);
    }
    Result<Plan> plan(const ActionContext& context) const override
    {
        const Result<KeySeen> seen = keySeen(context.looked);
        if (!seen)
            return tl::unexpected(seen.error());
        const qint64 ttlMs = *context.request.durationMs("ttl");
        const QByteArray key = context.state.primitive->key("token");
        const QByteArray expiry =
            seen->ttlMs ? QByteArray::number(context.nowMs + *seen->ttlMs) : QByteArray("-1");
        Plan plan = planFor(*this, context.state);
        plan.question = ActionText::tr("Let the token %1 be good for %2 from now?")
                            .arg(nameOf(context.state), formatDuration(ttlMs));
        plan.consequence = ActionText::tr("It ends then, whether that is later or earlier than now.");
        plan.expected = seenToken(context.state);
        plan.guard = ActionText::tr("it is there and ends when it was seen to");
        plan.commands = {shown({"PEXPIRE", plan.toldKey(key), QByteArray::number(ttlMs)})};
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

class SweepGhost final : public Action
{
public:
    QByteArray id() const override { return QByteArrayLiteral("token.sweep"); }
    QString title() const override { return ActionText::tr("Sweep"); }
    QString summary() const override
    {
        return ActionText::tr("delete a ghost: a use count of a token that was never issued");
    }
    bool removes() const override { return true; }
    QString unavailable(const State& state) const override
    {
        const auto* token = state.as<TokenState>();
        if (state.present && token && token->phase != TokenState::Phase::Ghost)
            return ActionText::tr("it is no ghost");
        return Action::unavailable(state);
    }
    Result<Plan> plan(const ActionContext& context) const override
    {
        if (const QString why = unavailable(context.state); !why.isEmpty())
            return notPossible(why);
        const QByteArray key = context.state.primitive->key("token");
        Plan plan = planFor(*this, context.state);
        plan.question = ActionText::tr("Delete the ghost %1?").arg(nameOf(context.state));
        plan.consequence = ActionText::tr("Nothing uses it: no token of that code was issued.");
        plan.expected = seenToken(context.state);
        plan.guard = ActionText::tr("the use count still is all that it holds");
        plan.commands = {shown({"DEL", plan.toldKey(key)})};
        plan.script = QByteArrayLiteral("token-sweep");
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

const Action& sweepGhost()
{
    static const SweepGhost action;
    return action;
}

} // namespace lk::actions
