// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done to a limiter, one identity at a time: a DEL by a pattern frees everybody at
// once, and one by a wrong name nobody.
#include "backend/actions/actions.h"
#include "backend/actions/keylook.h"
#include "backend/actions/statetexts.h"

#include "backend/core/duration.h"
#include "backend/core/keyname.h"
#include "backend/core/timeunit.h"

namespace lk::actions {

namespace {

using Type = ActionParameter::Type;

QByteArray unitName(TimeUnit unit)
{
    switch (unit) {
    case TimeUnit::Seconds:
        return QByteArrayLiteral("s");
    case TimeUnit::Microseconds:
        return QByteArrayLiteral("us");
    case TimeUnit::Milliseconds:
    case TimeUnit::Nanoseconds:
        break;
    }
    return QByteArrayLiteral("ms");
}

// Libraries never say the unit of their scores; the highest one's magnitude does.
std::vector<Command> lookAtScores(const QByteArray& key, std::span<const Reply> looked)
{
    if (!looked.empty() || key.isEmpty())
        return {};
    return {{"ZREVRANGE", key, "0", "0", "WITHSCORES"}};
}

Result<QByteArray> scoreUnit(std::span<const Reply> looked)
{
    if (const auto error = errorAmong(looked))
        return tl::unexpected(*error);
    if (looked.empty() || looked[0].items.size() < 2)
        return notPossible(ActionText::tr("There is no mark to be removed"));
    const auto unit = timeUnitOf(looked[0].items[1].text.toDouble());
    if (!unit || *unit == TimeUnit::Nanoseconds)
        return notPossible(ActionText::tr("The scores are no times"));
    return unitName(*unit);
}

// Deletes the keys in which a limiter counts: what it is configured by stays.
class ClearLimiter final : public Action
{
public:
    QByteArray id() const override { return QByteArrayLiteral("limiter.clear"); }
    QString title() const override { return ActionText::tr("Clear"); }
    QString summary() const override
    {
        return ActionText::tr("forget what one limiter has counted, and its retry horizon");
    }
    bool removes() const override { return true; }
    std::vector<ActionParameter> parameters() const override
    {
        return {{QByteArrayLiteral("consumer"), Type::Text, ActionText::tr("Consumer"),
                 ActionText::tr("only that consumer's or client's count"), false, {}, {}}};
    }

    Result<Plan> plan(const ActionContext& context) const override
    {
        const QByteArray consumer = context.request.text("consumer");
        Plan plan = planFor(*this, context.state);
        for (const KeyRole& key : context.state.primitive->keys) {
            const bool counts = key.role != "config" && !key.key.isEmpty();
            const bool chosen = consumer.isEmpty() || key.role.endsWith(':' + consumer)
                                || key.key == consumer;
            if (counts && chosen && plan.keys.size() < 64)
                plan.keys.push_back(key.key);
        }
        if (plan.keys.empty())
            return notPossible(ActionText::tr("There is no such consumer: %1")
                                   .arg(displayName(consumer)));
        plan.question = ActionText::tr("Clear the limiter %1?").arg(nameOf(context.state));
        plan.consequence =
            ActionText::tr("A whole window's requests pass at once; those who waited need not.");
        plan.expected = seenLimiter(context.state);
        plan.guard = ActionText::tr("at least one of the keys is there");
        Command shownCommand{"DEL"};
        for (const QByteArray& key : plan.keys) {
            plan.args.insert(plan.args.end(), {QByteArray(), QByteArray()});
            shownCommand << key;
        }
        plan.commands = {shown(shownCommand)};
        plan.script = QByteArrayLiteral("key-delete");
        plan.loses = true;
        plan.undo.kind = UndoWay::Kind::Restore;
        return plan;
    }
};

class CapHorizon final : public Action
{
public:
    QByteArray id() const override { return QByteArrayLiteral("limiter.cap"); }
    QString title() const override { return ActionText::tr("Cap the retry horizon"); }
    QString summary() const override
    {
        return ActionText::tr("remove reservations that lie too far ahead; all of them unless told");
    }
    std::vector<ActionParameter> parameters() const override
    {
        return {{QByteArrayLiteral("horizon"), Type::Duration, ActionText::tr("Horizon"),
                 ActionText::tr("how far ahead reservations may lie: 5s; left out: none stay"),
                 false, {}, {}}};
    }
    QString unavailable(const State& state) const override
    {
        const auto* limiter = state.as<LimiterState>();
        return limiter && limiter->reserved.empty() ? ActionText::tr("nobody is told to wait")
                                                    : QString();
    }
    std::vector<Command> look(const State& state, const ActionRequest&,
                              std::span<const Reply> looked) const override
    {
        return lookAtScores(state.primitive->key("retry"), looked);
    }
    Result<Plan> plan(const ActionContext& context) const override
    {
        const Result<QByteArray> unit = scoreUnit(context.looked);
        if (!unit)
            return tl::unexpected(unit.error());
        const qint64 cap = context.request.durationMs("horizon").value_or(0);
        const QByteArray key = context.state.primitive->key("retry");
        const auto* limiter = context.state.as<LimiterState>();
        Plan plan = planFor(*this, context.state);
        plan.question = cap > 0 ? ActionText::tr("Cap the retry horizon of %1 at %2?")
                                      .arg(nameOf(context.state), formatDuration(cap))
                                : ActionText::tr("Clear the retry horizon of %1?")
                                      .arg(nameOf(context.state));
        plan.consequence = ActionText::tr("Callers that are refused from now on are told to wait less "
                                          "long. Those who wait already come when they were told to.");
        plan.expected = ActionText::tr("the horizon is %1 ahead")
                            .arg(limiter && limiter->retryAfterMs
                                     ? formatDuration(*limiter->retryAfterMs)
                                     : ActionText::tr("not known"));
        plan.guard = ActionText::tr("the key is a sorted set");
        plan.commands = {shown({"ZREMRANGEBYSCORE", key,
                                "(" + ActionText::tr("now + %1").arg(formatDuration(cap)).toUtf8(),
                                "+inf"})};
        plan.script = QByteArrayLiteral("limiter-cap");
        plan.keys = {key};
        plan.args = {QByteArray::number(cap), *unit};
        plan.undo.kind = UndoWay::Kind::Restore;
        return plan;
    }
};

ActionParameter permitsParameter()
{
    return {QByteArrayLiteral("permits"), Type::Count, ActionText::tr("Permits"),
            ActionText::tr("how many requests more may pass"), true, {}, {}};
}

class FreeMarks final : public Action
{
public:
    QByteArray id() const override { return QByteArrayLiteral("limiter.free"); }
    QString title() const override { return ActionText::tr("Free permits"); }
    QString summary() const override
    {
        return ActionText::tr("let a given number of requests more pass");
    }
    std::vector<ActionParameter> parameters() const override { return {permitsParameter()}; }
    std::vector<Command> look(const State& state, const ActionRequest&,
                              std::span<const Reply> looked) const override
    {
        return lookAtScores(state.primitive->keys.front().key, looked);
    }
    Result<Plan> plan(const ActionContext& context) const override
    {
        const Result<QByteArray> unit = scoreUnit(context.looked);
        if (!unit)
            return tl::unexpected(unit.error());
        const auto* limiter = context.state.as<LimiterState>();
        if (!limiter || !limiter->windowMs)
            return notPossible(ActionText::tr("The window is not known: declare it"));
        const QByteArray key = context.state.primitive->keys.front().key;
        const QByteArray count = context.request.text("permits");
        Plan plan = planFor(*this, context.state);
        plan.question = ActionText::tr("Free %1 of the permits of %2?")
                            .arg(QString::fromLatin1(count), nameOf(context.state));
        plan.consequence = ActionText::tr("So many requests more pass within the window.");
        plan.expected = seenLimiter(context.state);
        plan.guard = ActionText::tr("the key is a sorted set with marks in the window");
        plan.commands = {shown({"ZREM", key, ActionText::tr("the %1 oldest in the window")
                                                 .arg(QString::fromLatin1(count)).toUtf8()})};
        plan.script = QByteArrayLiteral("limiter-free-marks");
        plan.keys = {key};
        plan.args = {count, QByteArray::number(*limiter->windowMs), *unit};
        plan.undo.kind = UndoWay::Kind::Restore;
        return plan;
    }
};

class FreeCount final : public Action
{
public:
    QByteArray id() const override { return QByteArrayLiteral("limiter.free"); }
    QString title() const override { return ActionText::tr("Free permits"); }
    QString summary() const override
    {
        return ActionText::tr("let a given number of requests more pass");
    }
    std::vector<ActionParameter> parameters() const override { return {permitsParameter()}; }
    Result<Plan> plan(const ActionContext& context) const override
    {
        const QByteArray key = context.state.primitive->keys.front().key;
        const QByteArray count = context.request.text("permits");
        Plan plan = planFor(*this, context.state);
        plan.question = ActionText::tr("Free %1 of the permits of %2?")
                            .arg(QString::fromLatin1(count), nameOf(context.state));
        plan.consequence = ActionText::tr("So many requests more pass before the window ends.");
        plan.expected = seenLimiter(context.state);
        plan.guard = ActionText::tr("the key is a counter; it does not go below 0");
        plan.commands = {shown({"DECRBY", key, count})};
        plan.script = QByteArrayLiteral("limiter-free-count");
        plan.keys = {key};
        plan.args = {count};
        plan.undo.kind = UndoWay::Kind::Restore;
        return plan;
    }
};

// A counter whose TTL was lost never frees. DEL would give a whole window at once; with a TTL the
// count stays and ends when a window would.
class RepairCounter final : public Action
{
public:
    QByteArray id() const override { return QByteArrayLiteral("limiter.repair"); }
    QString title() const override { return ActionText::tr("Give it back its TTL"); }
    QString summary() const override
    {
        return ActionText::tr("let a counter without TTL end after its window, keeping the count; "
                              "or set a drifted value right");
    }
    std::vector<ActionParameter> parameters() const override
    {
        return {{QByteArrayLiteral("ttl"), Type::Duration, ActionText::tr("Window"),
                 ActionText::tr("how long from now; left out: the declared window"), false, {}, {}}};
    }
    QString unavailable(const State& state) const override
    {
        if (state.present && state.ttlMs)
            return ActionText::tr("it has a TTL");
        return Action::unavailable(state);
    }
    std::vector<Command> look(const State& state, const ActionRequest&,
                              std::span<const Reply> looked) const override
    {
        return lookAtKey(state.primitive->keys.front().key, looked);
    }
    Result<Plan> plan(const ActionContext& context) const override
    {
        const Result<KeySeen> seen = keySeen(context.looked);
        if (!seen)
            return tl::unexpected(seen.error());
        if (seen->ttlMs)
            return notPossible(ActionText::tr("It has a TTL: it ends in %1")
                                   .arg(formatDuration(*seen->ttlMs)));
        const auto* limiter = context.state.as<LimiterState>();
        std::optional<qint64> ttlMs = context.request.durationMs("ttl");
        if (!ttlMs && limiter)
            ttlMs = limiter->windowMs;
        if (!ttlMs)
            return notPossible(ActionText::tr(
                "How long its window is is not known: give it with --ttl, or declare it"));
        const QByteArray key = context.state.primitive->keys.front().key;
        Plan plan = planFor(*this, context.state);
        plan.question = ActionText::tr("Let the counter %1 end in %2?")
                            .arg(nameOf(context.state), formatDuration(*ttlMs));
        plan.consequence = ActionText::tr("What it counted stays until then; then it starts anew.");
        plan.expected = seenLimiter(context.state) + ActionText::tr(", without TTL: it never frees");
        plan.guard = ActionText::tr("the key still has no TTL");
        plan.commands = {shown({"PEXPIRE", key, QByteArray::number(*ttlMs)})};
        plan.script = QByteArrayLiteral("key-ttl");
        plan.keys = {key};
        plan.args = {seen->type, "-1", QByteArray::number(*ttlMs)};
        plan.seen = {seen->type};
        plan.undo.kind = UndoWay::Kind::Restore;
        return plan;
    }
};

class OpenGate final : public Action
{
public:
    QByteArray id() const override { return QByteArrayLiteral("limiter.open"); }
    QString title() const override { return ActionText::tr("Open the gate"); }
    QString summary() const override { return ActionText::tr("let the next call pass a gate"); }
    Result<Plan> plan(const ActionContext& context) const override
    {
        const QByteArray key = context.state.primitive->keys.front().key;
        Plan plan = planFor(*this, context.state);
        plan.question = ActionText::tr("Open the gate %1?").arg(nameOf(context.state));
        plan.consequence = ActionText::tr("The next call passes and closes it again.");
        plan.expected = context.state.ttlMs ? ActionText::tr("closed for another %1")
                                                  .arg(formatDuration(*context.state.ttlMs))
                                            : ActionText::tr("closed without an end");
        plan.guard = ActionText::tr("the key is there and a counter");
        plan.commands = {shown({"DEL", key})};
        plan.script = QByteArrayLiteral("key-delete");
        plan.keys = {key};
        plan.args = {"string", ""};
        plan.undo.kind = UndoWay::Kind::Restore;
        return plan;
    }
};

} // namespace

const Action& clearLimiter()
{
    static const ClearLimiter action;
    return action;
}

const Action& capHorizon()
{
    static const CapHorizon action;
    return action;
}

const Action& freeMarks()
{
    static const FreeMarks action;
    return action;
}

const Action& freeCount()
{
    static const FreeCount action;
    return action;
}

const Action& repairCounter()
{
    static const RepairCounter action;
    return action;
}

const Action& openGate()
{
    static const OpenGate action;
    return action;
}

} // namespace lk::actions
