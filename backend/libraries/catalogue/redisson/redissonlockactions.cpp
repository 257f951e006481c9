// SPDX-License-Identifier: GPL-3.0-or-later
// Redisson's locks and semaphores. Waiting clients sleep until a message arrives, so each release
// ends with the message that the library publishes.
#include "backend/libraries/api/statetexts.h"
#include "backend/libraries/catalogue/redisson/redissonactions.h"
#include "backend/libraries/families/locks/holderactions.h"

#include "backend/libraries/catalogue/redisson/redissonlockkeys.h"

#include <algorithm>

namespace lk::actions {

namespace {

constexpr qint64 mostTimeouts = 512; // the most keys of readers' holds that one script reads

// The keys that end a reader's holds.
void addTimeouts(std::vector<QByteArray>& keys, const QByteArray& lock, const LockHolder& holder)
{
    if (!isRedissonHolder(holder.name) || isRedissonWriter(holder.name))
        return;
    for (qint64 hold = 1; hold <= std::min(holder.holds, mostTimeouts); ++hold)
        keys.push_back(redissonReadTimeout(lock, holder.name, hold));
}

class ReleaseRedissonLock final : public ReleaseHolder
{
protected:
    Result<Plan> releasePlan(const ActionContext& context, const LockHolder& holder,
                             Plan plan) const override
    {
        const QByteArray lock = context.state.primitive->key("lock");
        const auto* state = context.state.as<LockState>();
        const bool writer = isRedissonWriter(holder.name);
        const bool plain = !writer && !holder.shared && state->limit == 1;
        plan.script = QByteArrayLiteral("redisson-lock-release");
        plan.keys = {lock};
        QByteArray channel = redissonPrefixed(QByteArrayLiteral("redisson_rwlock"), lock);
        plan.commands = {shown({"HDEL", lock, holder.name})};
        if (plain) {
            channel = redissonPrefixed(QByteArrayLiteral("redisson_lock__channel"), lock);
            plan.keys.push_back(redissonPrefixed(QByteArrayLiteral("redisson_lock_queue"), lock));
            plan.keys.push_back(redissonPrefixed(QByteArrayLiteral("redisson_lock_timeout"), lock));
            plan.commands = {shown({"DEL", lock})};
        }
        plan.args = {holder.name, QByteArray::number(holder.holds), channel,
                     plain    ? QByteArrayLiteral("lock")
                     : writer ? QByteArrayLiteral("write")
                              : QByteArrayLiteral("read")};
        if (!plain) {
            if (state->holdersTotal > qint64(state->holders.size()) || state->holds > mostTimeouts)
                return notPossible(ActionText::tr("It has too many readers for one script"));
            addTimeouts(plan.keys, lock, holder);
            plan.args.push_back(QByteArray::number(qint64(plan.keys.size()) - 1));
            for (const LockHolder& other : state->holders) {
                if (other.name != holder.name)
                    addTimeouts(plan.keys, lock, other);
            }
        }
        // A fair lock notifies only the first client in the queue.
        const bool fair = plain && !state->waiting.empty();
        plan.commands << shown({"PUBLISH",
                                fair ? channel + ':' + state->waiting.front().name : channel,
                                writer ? "1" : "0"});
        return plan;
    }
};

class ReleasePermit final : public ReleaseHolder
{
protected:
    Result<Plan> releasePlan(const ActionContext& context, const LockHolder& holder,
                             Plan plan) const override
    {
        const Primitive& p = *context.state.primitive;
        const QByteArray available = p.key("available");
        plan.keys = {available, p.key("permits")};
        plan.args = {redissonPrefixed(QByteArrayLiteral("redisson_sc"), available),
                     QByteArray::fromHex(holder.name)};
        plan.script = QByteArrayLiteral("redisson-permit-release");
        plan.commands = {shown({"ZREM", plan.keys[1], plan.args[1]}),
                         shown({"INCRBY", available, "1"}), shown({"PUBLISH", plan.args[0], "…"})};
        return plan;
    }
};

// A bare number of permits. Their holders are unknown.
class ReleaseCount final : public Action
{
public:
    QByteArray id() const override { return QByteArrayLiteral("lock.release"); }
    QString title() const override { return ActionText::tr("Release"); }
    QString summary() const override
    {
        return ActionText::tr("return permits, as the library's release does");
    }
    std::vector<ActionParameter> parameters() const override
    {
        return {{QByteArrayLiteral("permits"),
                 ActionParameter::Type::Count,
                 ActionText::tr("Permits"),
                 ActionText::tr("how many to make available again"),
                 true,
                 {},
                 {}}};
    }
    bool removes() const override { return true; }

    Result<Plan> plan(const ActionContext& context) const override
    {
        if (context.state.problem)
            return tl::unexpected(*context.state.problem);
        const auto* lock = context.state.as<LockState>();
        const qint64 count = context.request.count("permits").value_or(1);
        if (!lock || (lock->limit && count > lock->holds))
            return notPossible(ActionText::tr("Fewer permits are in use"));
        const QByteArray key = context.state.primitive->key("available");
        const QByteArray number = QByteArray::number(count);
        Plan plan = planFor(*this, context.state);
        plan.question = ActionText::tr("Return %1 permits of %2?")
                            .arg(QString::fromLatin1(number), nameOf(context.state));
        plan.consequence = ActionText::tr(
            "That many more clients can acquire a permit immediately. Redis does not store who "
            "holds one: a permit that is still in use is handed out twice.");
        plan.expected = lock->limit
                            ? ActionText::tr("%1 of %2 used").arg(lock->holds).arg(*lock->limit)
                            : ActionText::tr("how many are used is unknown");
        plan.guard = ActionText::tr("the available permits are still a number");
        plan.keys = {key};
        plan.args = {redissonPrefixed(QByteArrayLiteral("redisson_sc"), key), number};
        plan.seen = {QByteArray::number(lock->holds)};
        plan.script = QByteArrayLiteral("redisson-permit-release");
        plan.commands = {shown({"INCRBY", key, number}), shown({"PUBLISH", plan.args[0], "…"})};
        plan.undo.kind = UndoWay::Kind::Restore;
        return plan;
    }
};

} // namespace

const Action& releaseRedissonLock()
{
    static const ReleaseRedissonLock action;
    return action;
}

const Action& releaseRedissonPermit()
{
    static const ReleasePermit action;
    return action;
}

const Action& releaseRedissonCount()
{
    static const ReleaseCount action;
    return action;
}

} // namespace lk::actions
