// SPDX-License-Identifier: GPL-3.0-or-later
// Actions for locks and semaphores that several owners may hold. They affect one holder, and only
// while it still is one. The plan's script releases as the library does.
#include "backend/libraries/families/locks/holderactions.h"

#include "backend/libraries/api/keyprefetch.h"
#include "backend/libraries/api/statetexts.h"
#include "backend/libraries/families/locks/lockactions.h"

#include "backend/core/names/keyname.h"
#include "backend/libraries/families/locks/lockreading.h"
#include "backend/libraries/families/locks/wakeup.h"
#include "backend/text/time/duration.h"

#include <algorithm>

namespace lk::actions {

namespace {

constexpr int mostMembers = 1000; // read to find all permits of one holder

const LockHolder* holderNamed(const LockState& lock, const QByteArray& name)
{
    const auto it = std::find_if(lock.holders.begin(), lock.holders.end(),
                                 [&](const LockHolder& h) { return h.name == name; });
    return it == lock.holders.end() ? nullptr : &*it;
}

QString seenHolder(const LockHolder& holder)
{
    const QString who = holder.holds > 1
                            ? ActionText::tr("%1 holds it %L2 times")
                                  .arg(displayPreview(holder.name, 60))
                                  .arg(holder.holds)
                            : ActionText::tr("%1 holds it").arg(displayPreview(holder.name, 60));
    return holder.leaseMs ? ActionText::tr("%1, TTL %2").arg(who, formatDuration(*holder.leaseMs))
                          : who;
}

// The members of a holder: several if it has several permits, "<owner>_0".
std::vector<QByteArray> membersOf(const QByteArray& holder, const Reply& members)
{
    std::vector<QByteArray> its;
    for (const Reply& member : members.items) {
        const QByteArray& text = member.text;
        bool number = false;
        if (text.startsWith(holder + '_'))
            text.mid(holder.size() + 1).toUInt(&number);
        if (text == holder || number)
            its.push_back(text);
    }
    return its;
}

class ReleaseMembers final : public ReleaseHolder
{
public:
    std::vector<Command> prefetch(const State& state, const ActionRequest&,
                                  std::span<const Reply> prefetched) const override
    {
        if (!prefetched.empty())
            return {};
        return {{"ZRANGE", state.primitive->keys.front().key, "0",
                 QByteArray::number(mostMembers - 1)}};
    }

protected:
    Result<Plan> releasePlan(const ActionContext& context, const LockHolder& holder,
                             Plan plan) const override
    {
        if (const auto error = errorAmong(context.prefetched))
            return tl::unexpected(*error);
        const QByteArray alone = QByteArrayLiteral("__write__"); // Symfony's mark of a writer
        const Reply members = context.prefetched.empty() ? Reply() : context.prefetched.front();
        plan.args = membersOf(holder.name, members);
        const bool marked = std::any_of(members.items.begin(), members.items.end(),
                                        [&](const Reply& member) { return member.text == alone; });
        if (marked)
            plan.args.push_back(alone);
        if (plan.args.empty() || plan.args.front() == alone)
            return notPossible(ActionText::tr("The lock is no longer held by %1")
                                   .arg(displayPreview(holder.name, 60)));
        plan.script = QByteArrayLiteral("semaphore-release");
        for (const KeyRole& key : context.state.primitive->keys) {
            plan.keys.push_back(key.key);
            Command command{"ZREM", key.key};
            for (const QByteArray& member : plan.args)
                command << member;
            plan.commands << shown(command);
        }
        return plan;
    }
};

// Its only key has a member with the holder's name.
class ReleaseMember final : public ReleaseHolder
{
protected:
    Result<Plan> releasePlan(const ActionContext& context, const LockHolder& holder,
                             Plan plan) const override
    {
        const Primitive& primitive = *context.state.primitive;
        plan.keys = {primitive.keys.front().key};
        plan.args = {holder.name};
        plan.script = QByteArrayLiteral("holder-release");
        plan.commands = {shown({"ZREM", plan.keys[0], holder.name})};
        addWakeUp(plan, primitive, holder.name);
        return plan;
    }
};

class ReleaseReaderWriter final : public ReleaseHolder
{
protected:
    Result<Plan> releasePlan(const ActionContext& context, const LockHolder& holder,
                             Plan plan) const override
    {
        plan.args = {holder.name};
        plan.keys = {context.state.primitive->key(holder.shared ? "readers" : "writer")};
        plan.script = holder.shared ? QByteArrayLiteral("semaphore-release")
                                    : QByteArrayLiteral("lock-release");
        plan.commands = {holder.shared ? shown({"SREM", plan.keys[0], holder.name})
                                       : shown({"DEL", plan.keys[0]})};
        return plan;
    }
};

// Each slot is a separate lock.
class ReleaseSlot final : public ReleaseHolder
{
public:
    std::vector<Command> prefetch(const State& state, const ActionRequest&,
                                  std::span<const Reply> prefetched) const override
    {
        std::vector<Command> asked;
        for (const KeyRole& key : state.primitive->keys) {
            if (prefetched.empty())
                asked.push_back({"GETRANGE", key.key, "0", "127"});
        }
        return asked;
    }

protected:
    Result<Plan> releasePlan(const ActionContext& context, const LockHolder& holder,
                             Plan plan) const override
    {
        if (const auto error = errorAmong(context.prefetched))
            return tl::unexpected(*error);
        const std::vector<KeyRole>& keys = context.state.primitive->keys;
        for (size_t i = 0; i < keys.size() && i < context.prefetched.size(); ++i) {
            if (context.prefetched[i].text == holder.name)
                plan.keys = {keys[i].key};
        }
        if (plan.keys.empty())
            return notPossible(ActionText::tr("The lock is no longer held by %1")
                                   .arg(displayPreview(holder.name, 60)));
        plan.args = {holder.name};
        plan.script = QByteArrayLiteral("lock-release");
        plan.commands = {shown({"DEL", plan.keys.front()})};
        return plan;
    }
};

class ReleaseToken final : public ReleaseHolder
{
public:
    std::vector<Command> prefetch(const State& state, const ActionRequest& request,
                                  std::span<const Reply> prefetched) const override
    {
        if (!prefetched.empty())
            return {};
        return {{"HGET", state.primitive->key("grabbed"), request.text("owner")}};
    }

protected:
    Result<Plan> releasePlan(const ActionContext& context, const LockHolder& holder,
                             Plan plan) const override
    {
        if (const auto error = errorAmong(context.prefetched))
            return tl::unexpected(*error);
        if (context.prefetched.empty() || !context.prefetched.front().isText())
            return notPossible(ActionText::tr("The lock is no longer held by %1")
                                   .arg(displayPreview(holder.name, 60)));
        const Primitive& p = *context.state.primitive;
        plan.keys = {p.key("grabbed"), p.key("available")};
        plan.args = {holder.name, context.prefetched.front().text};
        plan.script = QByteArrayLiteral("semaphore-token-release");
        plan.commands = {shown({"HDEL", plan.keys[0], holder.name}),
                         shown({"LPUSH", plan.keys[1], holder.name})};
        return plan;
    }
};

// A lock in a majority of keys. The owner is shown in hex.
class ReleaseVotes final : public ReleaseHolder
{
protected:
    Result<Plan> releasePlan(const ActionContext& context, const LockHolder& holder,
                             Plan plan) const override
    {
        Command command{"DEL"};
        for (const KeyRole& key : context.state.primitive->keys) {
            plan.keys.push_back(key.key);
            command << key.key;
        }
        plan.args = {QByteArray::fromHex(holder.name)};
        plan.script = QByteArrayLiteral("lock-release-votes");
        plan.commands = {shown(command)};
        return plan;
    }
};

// A hash whose field is named after its owner or contains it.
class ReleaseHash final : public ReleaseHolder
{
public:
    std::vector<Command> prefetch(const State& state, const ActionRequest&,
                                  std::span<const Reply> prefetched) const override
    {
        if (!prefetched.empty())
            return {};
        return {{"HSCAN", state.primitive->key("lock"), "0", "COUNT", "8"}};
    }

protected:
    Result<Plan> releasePlan(const ActionContext& context, const LockHolder& holder,
                             Plan plan) const override
    {
        if (const auto error = errorAmong(context.prefetched))
            return tl::unexpected(*error);
        const Primitive& primitive = *context.state.primitive;
        const QByteArray key = primitive.key("lock");
        const auto fields = context.prefetched.empty() ? decltype(scannedFieldsOf(Reply()))()
                                                       : scannedFieldsOf(context.prefetched[0]);
        const auto it = std::find_if(fields.begin(), fields.end(), [&](const auto& field) {
            return holderName(field.first) == holder.name ||
                   holderName(field.second) == holder.name;
        });
        if (it == fields.end())
            return notPossible(ActionText::tr("The lock is no longer held by %1")
                                   .arg(displayPreview(holder.name, 60)));
        plan.script = QByteArrayLiteral("hash-lock-release");
        plan.keys = {key};
        plan.args = {it->first, it->second};
        plan.commands = {shown({"DEL", key})};
        addWakeUp(plan, primitive, it->second);
        return plan;
    }
};

} // namespace

QString ReleaseHolder::title() const
{
    return ActionText::tr("Release");
}

QString ReleaseHolder::summary() const
{
    return ActionText::tr("release a lock or a permit if its holder is unchanged");
}

std::vector<ActionParameter> ReleaseHolder::parameters() const
{
    return {{QByteArrayLiteral("owner"),
             ActionParameter::Type::Text,
             ActionText::tr("Owner"),
             ActionText::tr("the holder to release it for"),
             true,
             {},
             {}}};
}

QString ReleaseHolder::unavailable(const State& state) const
{
    const QString why = Action::unavailable(state);
    const auto* lock = state.as<LockState>();
    const bool free = lock && lock->phase == LockState::Phase::Free;
    return !why.isEmpty() ? why : free ? ActionText::tr("nobody holds it") : QString();
}

Result<Plan> ReleaseHolder::plan(const ActionContext& context) const
{
    const auto* lock = context.state.as<LockState>();
    if (context.state.problem)
        return tl::unexpected(*context.state.problem);
    const QByteArray owner = context.request.text("owner");
    LockHolder only; // for a lock without a list of holders
    const LockHolder* holder = lock ? holderNamed(*lock, owner) : nullptr;
    if (lock && !holder && lock->ownerKnown && lock->owner == owner) {
        only.name = lock->owner;
        only.leaseMs = lock->leaseMs;
        holder = &only;
    }
    if (!holder)
        return notPossible(
            ActionText::tr("%1 does not hold the lock").arg(displayPreview(owner, 60)));
    const QString who = displayPreview(owner, 60);
    Plan plan = planFor(*this, context.state);
    plan.question =
        lock->limit == 1 && !holder->shared
            ? ActionText::tr("Release the lock %1?").arg(nameOf(context.state))
            : ActionText::tr("Release the hold of %2 on %1?").arg(nameOf(context.state), who);
    plan.consequence = ActionText::tr(
        "The lock becomes available immediately. The current owner is not notified and keeps "
        "working unless it checks.");
    plan.expected = seenHolder(*holder);
    plan.guard = ActionText::tr("%1 still holds it").arg(who);
    plan.seen = {owner, QByteArray::number(holder->holds)};
    plan.loses = true;
    plan.undo.kind = UndoWay::Kind::Restore;
    return releasePlan(context, *holder, std::move(plan));
}

const Action& releaseMembers()
{
    static const ReleaseMembers action;
    return action;
}

const Action& releaseMember()
{
    static const ReleaseMember action;
    return action;
}

const Action& releaseReaderWriter()
{
    static const ReleaseReaderWriter action;
    return action;
}

const Action& releaseSlot()
{
    static const ReleaseSlot action;
    return action;
}

const Action& releaseToken()
{
    static const ReleaseToken action;
    return action;
}

const Action& releaseVotes()
{
    static const ReleaseVotes action;
    return action;
}

const Action& releaseHash()
{
    static const ReleaseHash action;
    return action;
}

} // namespace lk::actions
