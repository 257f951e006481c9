// SPDX-License-Identifier: GPL-3.0-or-later
// Actions for a string whose value is its owner. They affect only that owner's lock: the owner may
// change between the read and the action, and the next owner's lock must stay.
#include "backend/libraries/families/locks/lockactions.h"
#include "backend/libraries/api/keyprefetch.h"
#include "backend/libraries/api/statetexts.h"

#include "backend/core/names/keyname.h"
#include "backend/libraries/detect/valueshape.h"
#include "backend/libraries/families/locks/wakeup.h"
#include "backend/text/time/duration.h"

#include <QCryptographicHash>

namespace lk::actions {

namespace {

// A value that is not an owner's name may be a payload. It is compared and shown only as a digest.
QString digestOf(const QByteArray& value)
{
    return QStringLiteral("sha256:") +
           QString::fromLatin1(
               QCryptographicHash::hash(value, QCryptographicHash::Sha256).toHex().left(16));
}

bool isShown(const State& state)
{
    const auto* lock = state.as<LockState>();
    return lock && lock->ownerKnown;
}

QString seenLock(const State& state, const QByteArray& owner)
{
    const QString who = isShown(state) ? displayPreview(owner, 60)
                                       : ActionText::tr("a value that is not shown (%Ln byte(s), "
                                                        "%1)",
                                                        nullptr, int(owner.size()))
                                             .arg(digestOf(owner));
    return state.ttlMs ? ActionText::tr("held by %1, TTL %2").arg(who, formatDuration(*state.ttlMs))
                       : ActionText::tr("held by %1, no TTL").arg(who);
}

QString ownerGuard(const State& state, const QByteArray& owner)
{
    return isShown(state) ? ActionText::tr("the owner is still %1").arg(displayPreview(owner, 60))
                          : ActionText::tr("the value is still the one of %1, byte for byte")
                                .arg(digestOf(owner));
}

// The value that the lock must have: --owner as given, or the value with that digest if it is
// hidden.
QByteArray namedOwner(const ActionRequest& request, const State& state, const QByteArray& value)
{
    const QByteArray owner = request.text("owner");
    return !request.has("owner") || (!isShown(state) && QLatin1String(owner) == digestOf(value))
               ? value
               : owner;
}

// Fails if the lock has another value, since the script could not succeed. The error names the
// owner or the digest.
Result<Plan> heldBy(const State& state, const QByteArray& owner, const QByteArray& value, Plan plan)
{
    if (owner != value && !isShown(state))
        return notPossible(
            ActionText::tr("The lock's value is not the expected one; its digest is %1")
                .arg(digestOf(value)));
    if (owner != value)
        return notPossible(ActionText::tr("The lock is held by %1, not by %2")
                               .arg(displayPreview(value, 60), displayPreview(owner, 60)));
    plan.seen = {value};
    return plan;
}

// Spring Integration's registry subscribes to the pattern "<registry>-channel:*" for the names of
// released locks "<registry>:<path>". The name does not show where the registry's part ends; a
// message without subscribers has no effect. Empty if no client subscribes to any pattern.
std::vector<QByteArray> springChannels(const QByteArray& key, const QByteArray& value,
                                       std::span<const Reply> prefetched)
{
    constexpr size_t mostChannels = 4;
    std::vector<QByteArray> channels;
    const bool anyPattern =
        prefetched.size() == 4 && prefetched[3].isInteger() && prefetched[3].integer > 0;
    if (!anyPattern || !isUuid(value))
        return channels;
    for (qsizetype colon = key.indexOf(':'); colon > 0 && channels.size() < mostChannels;
         colon = key.indexOf(':', colon + 1))
        channels.push_back(key.left(colon) + "-channel:" + key);
    return channels;
}

ActionParameter ownerParameter()
{
    return {QByteArrayLiteral("owner"),
            ActionParameter::Type::Text,
            ActionText::tr("Owner"),
            ActionText::tr("the value the lock must still have; of one that is not shown, its "
                           "digest as the plan has it"),
            false,
            {},
            {}};
}

class ReleaseLock final : public Action
{
public:
    QByteArray id() const override { return QByteArrayLiteral("lock.release"); }
    QString title() const override { return ActionText::tr("Release"); }
    QString summary() const override
    {
        return ActionText::tr("release a lock if its owner is unchanged");
    }
    std::vector<ActionParameter> parameters() const override { return {ownerParameter()}; }
    bool removes() const override { return true; }

    std::vector<Command> prefetch(const State& state, const ActionRequest&,
                                  std::span<const Reply> prefetched) const override
    {
        std::vector<Command> asked = prefetchString(state.primitive->key("lock"), prefetched);
        if (!asked.empty() && !prefetched.empty())
            asked.push_back({"PUBSUB", "NUMPAT"});
        return asked;
    }

    Result<Plan> plan(const ActionContext& context) const override
    {
        const Result<QByteArray> value = stringRead(context.prefetched);
        if (!value)
            return tl::unexpected(value.error());
        const QByteArray key = context.state.primitive->key("lock");
        if (!context.request.has("owner") && isShown(context.state))
            return failure(
                ErrorCode::BadArgument,
                ActionText::tr("%1 needs --%2").arg(QString::fromLatin1(id()), u"owner"));
        const QByteArray owner = namedOwner(context.request, context.state, *value);
        const QString name = nameOf(context.state);
        Plan plan = planFor(*this, context.state);
        plan.question = ActionText::tr("Release the lock %1?").arg(name);
        plan.consequence = ActionText::tr(
            "The lock becomes available immediately. The current owner is not notified and keeps "
            "working unless it checks.");
        plan.expected = seenLock(context.state, *value);
        plan.guard = ownerGuard(context.state, owner);
        plan.commands = {shown({"DEL", key})};
        plan.script = QByteArrayLiteral("lock-release");
        plan.keys = {key};
        plan.args = {owner};
        addWakeUp(plan, *context.state.primitive, *value);
        for (const QByteArray& channel : springChannels(key, *value, context.prefetched)) {
            plan.args.insert(plan.args.end(), {channel, key});
            plan.commands << shown({"PUBLISH", channel, key});
        }
        plan.loses = true;
        plan.undo.kind = UndoWay::Kind::Restore;
        return heldBy(context.state, owner, *value, std::move(plan));
    }
};

class LeaseLock final : public Action
{
public:
    QByteArray id() const override { return QByteArrayLiteral("lock.ttl"); }
    QString title() const override { return ActionText::tr("Set lock TTL"); }
    QString summary() const override { return ActionText::tr("set the TTL of a lock"); }
    std::vector<ActionParameter> parameters() const override
    {
        return {{QByteArrayLiteral("ttl"),
                 ActionParameter::Type::Duration,
                 ActionText::tr("TTL"),
                 ActionText::tr("from now, such as 30s"),
                 true,
                 {},
                 {}},
                ownerParameter()};
    }

    std::vector<Command> prefetch(const State& state, const ActionRequest&,
                                  std::span<const Reply> prefetched) const override
    {
        return prefetchString(state.primitive->key("lock"), prefetched);
    }

    Result<Plan> plan(const ActionContext& context) const override
    {
        const Result<QByteArray> value = stringRead(context.prefetched);
        if (!value)
            return tl::unexpected(value.error());
        const QByteArray key = context.state.primitive->key("lock");
        const QByteArray owner = namedOwner(context.request, context.state, *value);
        const qint64 ttlMs = *context.request.durationMs("ttl");
        Plan plan = planFor(*this, context.state);
        plan.question = ActionText::tr("Set the TTL of the lock %1 to %2?")
                            .arg(nameOf(context.state), formatDuration(ttlMs));
        plan.consequence =
            ActionText::tr("Unless its owner renews or releases it, the lock is free after that. "
                           "An owner that renews it sets its own TTL again.");
        plan.expected = seenLock(context.state, *value);
        plan.guard = ownerGuard(context.state, owner);
        plan.commands = {shown({"PEXPIRE", key, QByteArray::number(ttlMs)})};
        plan.script = QByteArrayLiteral("lock-ttl");
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

const Action& setLockTtl()
{
    static const LeaseLock action;
    return action;
}

} // namespace lk::actions
