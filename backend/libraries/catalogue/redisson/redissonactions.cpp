// SPDX-License-Identifier: GPL-3.0-or-later
// Redisson's rate limiter has three keys that must agree. So one script changes all of them.
// Redisson ignores a rate that changes alone, and deleting the permits alone leaves the value low.
#include "backend/libraries/catalogue/redisson/redissonactions.h"

#include "backend/libraries/api/keyprefetch.h"
#include "backend/libraries/api/statetexts.h"
#include "backend/text/time/duration.h"

namespace lk::actions {

namespace {

using Type = ActionParameter::Type;

std::vector<QByteArray> threeKeys(const State& state)
{
    const Primitive& p = *state.primitive;
    return {p.key("config"), p.key("value"), p.key("permits")};
}

// Returns the keys of one client's pool, or of the shared pool if client is empty.
std::vector<QByteArray> poolOf(const State& state, const QByteArray& client)
{
    std::vector<QByteArray> keys = threeKeys(state);
    if (client.isEmpty())
        return keys;
    keys[1] = state.primitive->key(("value:" + client).constData());
    keys[2] = state.primitive->key(("permits:" + client).constData());
    return keys;
}

ActionParameter clientParameter()
{
    return {QByteArrayLiteral("client"),
            Type::Text,
            ActionText::tr("Client"),
            ActionText::tr("which client, if each has permits of its own"),
            false,
            {},
            {}};
}

class FreePermits final : public Action
{
public:
    explicit FreePermits(bool repair)
        : m_repair(repair)
    {}
    QByteArray id() const override { return m_repair ? "limiter.repair" : "limiter.free"; }
    QString title() const override
    {
        return m_repair ? ActionText::tr("Repair value") : ActionText::tr("Free permits");
    }
    QString summary() const override
    {
        return m_repair ? ActionText::tr("recalculate the available permits from those in use")
                        : ActionText::tr("let this many more requests pass");
    }
    std::vector<ActionParameter> parameters() const override
    {
        std::vector<ActionParameter> all{clientParameter()};
        if (!m_repair)
            all.insert(all.begin(), {QByteArrayLiteral("permits"),
                                     Type::Count,
                                     ActionText::tr("Permits"),
                                     ActionText::tr("how many more requests may pass"),
                                     true,
                                     {},
                                     {}});
        return all;
    }
    Result<Plan> plan(const ActionContext& context) const override
    {
        const auto* limiter = context.state.as<LimiterState>();
        if (context.state.problem)
            return tl::unexpected(*context.state.problem);
        Plan plan = planFor(*this, context.state);
        const QByteArray client = context.request.text("client");
        if (client.isEmpty() && limiter && limiter->consumersTotal > 0)
            return notPossible(ActionText::tr("Each client has its own permits: choose one"));
        plan.keys = poolOf(context.state, client);
        if (plan.keys[1].isEmpty() || plan.keys[2].isEmpty())
            return notPossible(ActionText::tr("No such client"));
        const QString name = nameOf(context.state);
        const QByteArray count = context.request.text("permits");
        plan.question =
            m_repair
                ? ActionText::tr("Repair the value of %1?").arg(name)
                : ActionText::tr("Free %1 permits of %2?").arg(QString::fromLatin1(count), name);
        plan.consequence =
            m_repair ? ActionText::tr("The stored number matches the permits again.")
                     : ActionText::tr("That many more requests can pass within the interval.");
        plan.expected =
            limiter && limiter->occupancy && limiter->limit
                ? ActionText::tr("%1 of %2 used").arg(*limiter->occupancy).arg(*limiter->limit)
                : ActionText::tr("how many are used is unknown");
        plan.guard = ActionText::tr("configuration, value and permits are as Redisson writes them");
        plan.commands = {shown({"ZREM", plan.keys[2], "…"}),
                         shown({"SET", plan.keys[1], "rate - taken"})};
        plan.script =
            m_repair ? QByteArrayLiteral("redisson-repair") : QByteArrayLiteral("redisson-free");
        if (!m_repair)
            plan.args = {count};
        plan.undo.kind = UndoWay::Kind::Restore;
        return plan;
    }

private:
    bool m_repair;
};

class SetRate final : public Action
{
public:
    QByteArray id() const override { return QByteArrayLiteral("limiter.rate"); }
    QString title() const override { return ActionText::tr("Change rate"); }
    QString summary() const override
    {
        return ActionText::tr("set rate and interval, as the library's setRate does");
    }
    std::vector<ActionParameter> parameters() const override
    {
        return {{QByteArrayLiteral("limit"),
                 Type::Count,
                 ActionText::tr("Permits"),
                 ActionText::tr("permits per interval"),
                 true,
                 {},
                 {}},
                {QByteArrayLiteral("interval"),
                 Type::Duration,
                 ActionText::tr("Interval"),
                 ActionText::tr("such as 1m; default: unchanged"),
                 false,
                 {},
                 {}}};
    }
    Result<Plan> plan(const ActionContext& context) const override
    {
        const auto* limiter = context.state.as<LimiterState>();
        if (!limiter || !limiter->limit || !limiter->windowMs)
            return notPossible(ActionText::tr("The configuration is incomplete"));
        const qint64 interval = context.request.durationMs("interval").value_or(*limiter->windowMs);
        const QByteArray limit = context.request.text("limit");
        Plan plan = planFor(*this, context.state);
        plan.keys = threeKeys(context.state);
        for (const KeyRole& key : context.state.primitive->keys) {
            if (key.role.startsWith("value:") || key.role.startsWith("permits:"))
                plan.keys.push_back(key.key);
        }
        plan.question =
            ActionText::tr("Set the rate of %1 to %2 in %3?")
                .arg(nameOf(context.state), QString::fromLatin1(limit), formatDuration(interval));
        plan.consequence =
            ActionText::tr("Permits in use are reset, as the library does. A service that sets "
                           "its own rate on start sets it back.");
        plan.expected =
            ActionText::tr("%1 in %2").arg(*limiter->limit).arg(formatDuration(*limiter->windowMs));
        plan.guard = ActionText::tr("rate and interval are unchanged");
        Command forget{"DEL"};
        for (size_t i = 1; i < plan.keys.size(); ++i)
            forget << plan.keys[i];
        plan.commands = {
            shown({"HSET", plan.keys[0], "rate", limit, "interval", QByteArray::number(interval)}),
            shown(forget)};
        plan.script = QByteArrayLiteral("redisson-rate");
        plan.seen = {QByteArray::number(*limiter->limit), QByteArray::number(*limiter->windowMs)};
        plan.args = {plan.seen[0], plan.seen[1], limit, QByteArray::number(interval)};
        plan.undo.kind = UndoWay::Kind::Restore;
        return plan;
    }
};

} // namespace

const Action& freeRedissonPermits()
{
    static const FreePermits action(false);
    return action;
}

const Action& repairRedissonValue()
{
    static const FreePermits action(true);
    return action;
}

const Action& setRedissonRate()
{
    static const SetRate action;
    return action;
}

} // namespace lk::actions
