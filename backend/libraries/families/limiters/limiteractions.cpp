// SPDX-License-Identifier: GPL-3.0-or-later
// Actions for a limiter, one identity at a time. A DEL by pattern would free all clients at once,
// and a DEL with a wrong name none.
#include "backend/libraries/families/limiters/limiteractions.h"
#include "backend/libraries/api/keyprefetch.h"
#include "backend/libraries/api/statetexts.h"

#include "backend/core/names/keyname.h"
#include "backend/core/timeunit.h"
#include "backend/libraries/api/layout.h"
#include "backend/text/time/duration.h"

#include <algorithm>

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

// Libraries do not store the unit of their scores; it follows from the highest score.
std::vector<Command> prefetchScores(const QByteArray& key, std::span<const Reply> prefetched)
{
    if (!prefetched.empty() || key.isEmpty())
        return {};
    return {{"ZREVRANGE", key, "0", "0", "WITHSCORES"}};
}

Result<QByteArray> scoreUnit(std::span<const Reply> prefetched)
{
    if (const auto error = errorAmong(prefetched))
        return tl::unexpected(*error);
    if (prefetched.empty() || prefetched[0].items.size() < 2)
        return notPossible(ActionText::tr("There is no request mark to remove"));
    const auto unit = timeUnitOf(prefetched[0].items[1].text.toDouble());
    if (!unit || *unit == TimeUnit::Nanoseconds)
        return notPossible(ActionText::tr("The scores are not timestamps"));
    return unitName(*unit);
}

// The most entries that one script removes, and the most scripts.
constexpr qint64 mostRemoved = 10'000;
constexpr qint64 mostRemovals = 100;

// True if the key belongs to that consumer or client, or if consumer is empty.
bool isOf(const QByteArray& consumer, const Primitive& primitive, const QByteArray& key)
{
    return consumer.isEmpty() || key == consumer ||
           std::any_of(primitive.keys.begin(), primitive.keys.end(), [&](const KeyRole& k) {
               return k.key == key && k.role.text().endsWith(':' + consumer);
           });
}

// Deletes the keys in which a limiter counts. Its configuration stays.
class ClearLimiter final : public Action
{
public:
    QByteArray id() const override { return QByteArrayLiteral("limiter.clear"); }
    QString title() const override { return ActionText::tr("Clear"); }
    QString summary() const override
    {
        return ActionText::tr("reset a limiter's count and its reservations");
    }
    bool removes() const override { return true; }
    std::vector<ActionParameter> parameters() const override
    {
        return {{QByteArrayLiteral("consumer"),
                 Type::Text,
                 ActionText::tr("Consumer"),
                 ActionText::tr("only this consumer or client"),
                 false,
                 {},
                 {}}};
    }

    Result<Plan> plan(const ActionContext& context) const override
    {
        const QByteArray consumer = context.request.text("consumer");
        Plan plan = planFor(*this, context.state);
        const Layout* layout = findLayout(context.state.primitive->id.layout);
        const std::vector<QByteArray> counting =
            layout ? layout->countingKeys(context.state, context.nowMs) : std::vector<QByteArray>();
        for (const QByteArray& key : counting) {
            if (isOf(consumer, *context.state.primitive, key) && plan.keys.size() < 64)
                plan.keys.push_back(key);
        }
        if (plan.keys.empty())
            return notPossible(ActionText::tr("No such consumer: %1").arg(displayName(consumer)));
        plan.question = ActionText::tr("Reset the limiter %1?").arg(nameOf(context.state));
        plan.consequence =
            ActionText::tr("A full window of requests can pass at once; clients that were told to "
                           "wait no longer need to.");
        plan.expected = seenLimiter(context.state);
        plan.guard = ActionText::tr("at least one of the keys exists");
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
        return ActionText::tr("remove reservations too far in the future; default: all of them");
    }
    std::vector<ActionParameter> parameters() const override
    {
        return {{QByteArrayLiteral("horizon"),
                 Type::Duration,
                 ActionText::tr("Horizon"),
                 ActionText::tr("the furthest a reservation may be in the future, such as 5s; "
                                "default: remove all"),
                 false,
                 {},
                 {}}};
    }
    QString unavailable(const State& state) const override
    {
        const auto* limiter = state.as<LimiterState>();
        return limiter && limiter->reserved.empty() ? ActionText::tr("there are no reservations")
                                                    : QString();
    }
    std::vector<Command> prefetch(const State& state, const ActionRequest& request,
                                  std::span<const Reply> prefetched) const override
    {
        const QByteArray key = state.primitive->key("retry");
        const Result<QByteArray> unit = scoreUnit(prefetched);
        if (!unit || prefetched.size() > 1)
            return prefetchScores(key, prefetched);
        const double perMs = *unit == "s" ? 0.001 : *unit == "us" ? 1000 : 1;
        const qint64 fromMs = state.asOfMs + request.durationMs("horizon").value_or(0);
        return {{"ZCOUNT", key, "(" + QByteArray::number(double(fromMs) * perMs, 'f', 3), "+inf"}};
    }
    Result<Plan> plan(const ActionContext& context) const override
    {
        const Result<QByteArray> unit = scoreUnit(context.prefetched);
        if (!unit)
            return tl::unexpected(unit.error());
        const qint64 cap = context.request.durationMs("horizon").value_or(0);
        const QByteArray key = context.state.primitive->key("retry");
        const auto* limiter = context.state.as<LimiterState>();
        Plan plan = planFor(*this, context.state);
        plan.question =
            cap > 0 ? ActionText::tr("Cap the retry horizon of %1 at %2?")
                          .arg(nameOf(context.state), formatDuration(cap))
                    : ActionText::tr("Clear the retry horizon of %1?").arg(nameOf(context.state));
        plan.consequence =
            ActionText::tr("Clients rejected from now on get a shorter retry-after. Clients that "
                           "are already waiting retry when they were told to.");
        plan.expected =
            ActionText::tr("the furthest reservation is %1 ahead")
                .arg(limiter && limiter->retryAfterMs ? formatDuration(*limiter->retryAfterMs)
                                                      : ActionText::tr("unknown"));
        plan.guard = ActionText::tr("the key is a sorted set");
        plan.commands = {
            shown({"ZREMRANGEBYSCORE", key,
                   "(" + ActionText::tr("now + %1").arg(formatDuration(cap)).toUtf8(), "+inf"})};
        plan.script = QByteArrayLiteral("limiter-cap");
        plan.keys = {key};
        plan.args = {QByteArray::number(cap), *unit};
        plan.undo.kind = UndoWay::Kind::Restore;
        const qint64 beyond = context.prefetched.size() > 1 ? context.prefetched[1].integer : 0;
        const qint64 times =
            std::clamp<qint64>((beyond + mostRemoved - 1) / mostRemoved, 1, mostRemovals);
        const Plan first = plan;
        plan.further.assign(size_t(times - 1), first);
        return plan;
    }
};

ActionParameter permitsParameter()
{
    return {QByteArrayLiteral("permits"),
            Type::Count,
            ActionText::tr("Permits"),
            ActionText::tr("how many more requests may pass"),
            true,
            {},
            {}};
}

class FreeMarks final : public Action
{
public:
    QByteArray id() const override { return QByteArrayLiteral("limiter.free"); }
    QString title() const override { return ActionText::tr("Free permits"); }
    QString summary() const override { return ActionText::tr("let this many more requests pass"); }
    std::vector<ActionParameter> parameters() const override { return {permitsParameter()}; }
    std::vector<Command> prefetch(const State& state, const ActionRequest&,
                                  std::span<const Reply> prefetched) const override
    {
        return prefetchScores(state.primitive->keys.front().key, prefetched);
    }
    Result<Plan> plan(const ActionContext& context) const override
    {
        const Result<QByteArray> unit = scoreUnit(context.prefetched);
        if (!unit)
            return tl::unexpected(unit.error());
        const auto* limiter = context.state.as<LimiterState>();
        if (!limiter || !limiter->windowMs)
            return notPossible(ActionText::tr("The window is unknown: declare it"));
        const QByteArray key = context.state.primitive->keys.front().key;
        const QByteArray count = context.request.text("permits");
        Plan plan = planFor(*this, context.state);
        plan.question = ActionText::tr("Free %1 permits of %2?")
                            .arg(QString::fromLatin1(count), nameOf(context.state));
        plan.consequence = ActionText::tr("That many more requests can pass within the window.");
        plan.expected = seenLimiter(context.state);
        plan.guard = ActionText::tr("the key is a sorted set with requests in the window");
        plan.commands = {shown({"ZREM", key,
                                ActionText::tr("the %1 oldest in the window")
                                    .arg(QString::fromLatin1(count))
                                    .toUtf8()})};
        plan.script = QByteArrayLiteral("limiter-free-marks");
        plan.keys = {key};
        const qint64 permits = context.request.count("permits").value_or(0);
        if (permits > mostRemoved * mostRemovals)
            return failure(
                ErrorCode::BadArgument,
                ActionText::tr("--permits takes up to %1").arg(mostRemoved * mostRemovals));
        plan.undo.kind = UndoWay::Kind::Restore;
        const auto argsOf = [&](qint64 places) {
            return std::vector<QByteArray>{QByteArray::number(places),
                                           QByteArray::number(*limiter->windowMs), *unit};
        };
        plan.args = argsOf(std::min(permits, mostRemoved));
        const Plan first = plan;
        for (qint64 at = mostRemoved; at < permits; at += mostRemoved) {
            plan.further.push_back(first);
            plan.further.back().args = argsOf(std::min(permits - at, mostRemoved));
        }
        return plan;
    }
};

class FreeCount final : public Action
{
public:
    QByteArray id() const override { return QByteArrayLiteral("limiter.free"); }
    QString title() const override { return ActionText::tr("Free permits"); }
    QString summary() const override { return ActionText::tr("let this many more requests pass"); }
    std::vector<ActionParameter> parameters() const override { return {permitsParameter()}; }
    Result<Plan> plan(const ActionContext& context) const override
    {
        const QByteArray key = context.state.primitive->keys.front().key;
        const QByteArray count = context.request.text("permits");
        Plan plan = planFor(*this, context.state);
        plan.question = ActionText::tr("Free %1 permits of %2?")
                            .arg(QString::fromLatin1(count), nameOf(context.state));
        plan.consequence = ActionText::tr("That many more requests can pass before the window "
                                          "resets.");
        plan.expected = seenLimiter(context.state);
        plan.guard = ActionText::tr("the key is a counter, and stays at 0 or above");
        plan.commands = {shown({"DECRBY", key, count})};
        plan.script = QByteArrayLiteral("limiter-free-count");
        plan.keys = {key};
        plan.args = {count};
        plan.undo.kind = UndoWay::Kind::Restore;
        return plan;
    }
};

// Repairs a counter that lost its TTL and never frees. DEL would free a whole window at once; with
// a new TTL the count stays until the end of a window.
class RepairCounter final : public Action
{
public:
    QByteArray id() const override { return QByteArrayLiteral("limiter.repair"); }
    QString title() const override { return ActionText::tr("Restore TTL"); }
    QString summary() const override
    {
        return ActionText::tr("restore the TTL of a counter, keeping its count; or correct a "
                              "value that has drifted");
    }
    std::vector<ActionParameter> parameters() const override
    {
        return {{QByteArrayLiteral("ttl"),
                 Type::Duration,
                 ActionText::tr("Window"),
                 ActionText::tr("from now; default: the declared window"),
                 false,
                 {},
                 {}}};
    }
    QString unavailable(const State& state) const override
    {
        if (state.present && state.ttlMs)
            return ActionText::tr("it has a TTL");
        return Action::unavailable(state);
    }
    std::vector<Command> prefetch(const State& state, const ActionRequest&,
                                  std::span<const Reply> prefetched) const override
    {
        return prefetchKey(state.primitive->keys.front().key, prefetched);
    }
    Result<Plan> plan(const ActionContext& context) const override
    {
        const Result<KeyRead> seen = keyRead(context.prefetched);
        if (!seen)
            return tl::unexpected(seen.error());
        if (seen->ttlMs)
            return notPossible(
                ActionText::tr("It has a TTL: it expires in %1").arg(formatDuration(*seen->ttlMs)));
        const auto* limiter = context.state.as<LimiterState>();
        std::optional<qint64> ttlMs = context.request.durationMs("ttl");
        if (!ttlMs && limiter)
            ttlMs = limiter->windowMs;
        if (!ttlMs)
            return notPossible(ActionText::tr("The window is unknown: use --ttl, or declare it"));
        const QByteArray key = context.state.primitive->keys.front().key;
        Plan plan = planFor(*this, context.state);
        plan.question = ActionText::tr("Set the TTL of the counter %1 to %2?")
                            .arg(nameOf(context.state), formatDuration(*ttlMs));
        plan.consequence = ActionText::tr("The count stays until then and starts at 0 afterwards.");
        plan.expected = seenLimiter(context.state) + ActionText::tr(", no TTL: it never resets");
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
    QString title() const override { return ActionText::tr("Open gate"); }
    QString summary() const override { return ActionText::tr("let the next call through"); }
    Result<Plan> plan(const ActionContext& context) const override
    {
        const QByteArray key = context.state.primitive->keys.front().key;
        Plan plan = planFor(*this, context.state);
        plan.question = ActionText::tr("Open the gate %1?").arg(nameOf(context.state));
        plan.consequence = ActionText::tr("The next call passes and closes the gate again.");
        plan.expected =
            context.state.ttlMs
                ? ActionText::tr("closed, opens in %1").arg(formatDuration(*context.state.ttlMs))
                : ActionText::tr("closed, no TTL");
        plan.guard = ActionText::tr("the key exists and is a counter");
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
