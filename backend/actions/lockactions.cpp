// SPDX-License-Identifier: GPL-3.0-or-later
// A string whose value is its owner: what is done to it is done to that owner's lock alone. Between
// the look and the act the lock may have changed hands, and the next owner's must stay.
#include "backend/actions/actions.h"
#include "backend/actions/keylook.h"
#include "backend/actions/statetexts.h"

#include "backend/core/duration.h"
#include "backend/core/keyname.h"

namespace lk::actions {

namespace {

// A value that is no owner's name may be a payload: it is compared, and not shown.
bool isShown(const State& state)
{
    const auto* lock = state.as<LockState>();
    return lock && lock->ownerKnown;
}

QString seenLock(const State& state, const QByteArray& owner)
{
    const QString who = isShown(state) ? displayPreview(owner, 60)
                                       : ActionText::tr("a value that is not shown (%Ln byte(s))",
                                                        nullptr, int(owner.size()));
    return state.ttlMs ? ActionText::tr("held by %1 for another %2")
                             .arg(who, formatDuration(*state.ttlMs))
                       : ActionText::tr("held by %1 without an end").arg(who);
}

QString ownerGuard(const State& state, const QByteArray& owner)
{
    return isShown(state)
               ? ActionText::tr("the owner still is %1").arg(displayPreview(owner, 60))
               : ActionText::tr("the value still is the expected one, byte for byte");
}

// The plan that cannot succeed is not made: whoever named the owner sees whose it is.
Result<Plan> heldBy(const State& state, const QByteArray& owner, const QByteArray& value, Plan plan)
{
    if (owner != value && !isShown(state))
        return notPossible(ActionText::tr("The value of the lock is not the expected one"));
    if (owner != value)
        return notPossible(ActionText::tr("The lock is held by %1, not by %2")
                               .arg(displayPreview(value, 60), displayPreview(owner, 60)));
    plan.seen = {value};
    return plan;
}

ActionParameter ownerParameter(bool required)
{
    return {QByteArrayLiteral("owner"), ActionParameter::Type::Text, ActionText::tr("Owner"),
            ActionText::tr("the value that the lock must still have"), required, {}, {}};
}

class ReleaseLock final : public Action
{
public:
    QByteArray id() const override { return QByteArrayLiteral("lock.release"); }
    QString title() const override { return ActionText::tr("Release"); }
    QString summary() const override
    {
        return ActionText::tr("take the lock from its owner, if it still is that owner");
    }
    std::vector<ActionParameter> parameters() const override { return {ownerParameter(true)}; }
    bool removes() const override { return true; }

    std::vector<Command> look(const State& state, const ActionRequest&,
                              std::span<const Reply> looked) const override
    {
        return lookAtString(state.primitive->key("lock"), looked);
    }

    Result<Plan> plan(const ActionContext& context) const override
    {
        const Result<QByteArray> value = stringSeen(context.looked);
        if (!value)
            return tl::unexpected(value.error());
        const QByteArray key = context.state.primitive->key("lock");
        const QByteArray owner = context.request.text("owner");
        const QString name = nameOf(context.state);
        Plan plan = planFor(*this, context.state);
        plan.question = ActionText::tr("Release the lock %1?").arg(name);
        plan.consequence = ActionText::tr(
            "Whoever wants it next gets it at once. Its owner is not told and goes on working "
            "unless it looks.");
        plan.expected = seenLock(context.state, *value);
        plan.guard = ownerGuard(context.state, owner);
        plan.commands = {shown({"DEL", key})};
        plan.script = QByteArrayLiteral("lock-release");
        plan.keys = {key};
        plan.args = {owner};
        plan.loses = true;
        plan.undo.kind = UndoWay::Kind::Restore;
        return heldBy(context.state, owner, *value, std::move(plan));
    }
};

class LeaseLock final : public Action
{
public:
    QByteArray id() const override { return QByteArrayLiteral("lock.lease"); }
    QString title() const override { return ActionText::tr("Set the lease"); }
    QString summary() const override
    {
        return ActionText::tr("let the lock end in a given time: shorter, longer, or at last at all");
    }
    std::vector<ActionParameter> parameters() const override
    {
        return {{QByteArrayLiteral("ttl"), ActionParameter::Type::Duration, ActionText::tr("Lease"),
                 ActionText::tr("how long from now: 30s"), true, {}, {}},
                ownerParameter(false)};
    }

    std::vector<Command> look(const State& state, const ActionRequest&,
                              std::span<const Reply> looked) const override
    {
        return lookAtString(state.primitive->key("lock"), looked);
    }

    Result<Plan> plan(const ActionContext& context) const override
    {
        const Result<QByteArray> value = stringSeen(context.looked);
        if (!value)
            return tl::unexpected(value.error());
        const QByteArray key = context.state.primitive->key("lock");
        const QByteArray owner =
            context.request.has("owner") ? context.request.text("owner") : *value;
        const qint64 ttlMs = *context.request.durationMs("ttl");
        Plan plan = planFor(*this, context.state);
        plan.question = ActionText::tr("Let the lock %1 end in %2?")
                            .arg(nameOf(context.state), formatDuration(ttlMs));
        plan.consequence =
            ActionText::tr("If its owner does not renew or release it, it is free then. An owner "
                           "that renews sets its own lease again.");
        plan.expected = seenLock(context.state, *value);
        plan.guard = ownerGuard(context.state, owner);
        plan.commands = {shown({"PEXPIRE", key, QByteArray::number(ttlMs)})};
        plan.script = QByteArrayLiteral("lock-lease");
        plan.keys = {key};
        plan.args = {owner, QByteArray::number(ttlMs)};
        plan.undo.kind = UndoWay::Kind::Restore;
        return heldBy(context.state, owner, *value, std::move(plan));
    }
};

} // namespace

const Action& releaseLock()
{
    static const ReleaseLock action;
    return action;
}

const Action& leaseLock()
{
    static const LeaseLock action;
    return action;
}

} // namespace lk::actions
