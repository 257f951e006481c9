// SPDX-License-Identifier: GPL-3.0-or-later
// Actions for a string whose value is the time of its own end. With GET, compare and GETSET in
// three steps, two callers could take over the same expired lock; one script that compares and
// replaces prevents that.
#include "backend/libraries/api/keyprefetch.h"
#include "backend/libraries/api/statetexts.h"
#include "backend/libraries/families/locks/lockactions.h"

#include "backend/core/names/keyname.h"
#include "backend/core/timeunit.h"
#include "backend/text/time/duration.h"

namespace lk::actions {

namespace {

enum class Step : quint8 { Clear, TakeOver, Lease };

class TimestampLock final : public Action
{
public:
    explicit TimestampLock(Step step)
        : m_step(step)
    {}

    QByteArray id() const override
    {
        switch (m_step) {
        case Step::Clear:
            return QByteArrayLiteral("lock.clear");
        case Step::TakeOver:
            return QByteArrayLiteral("lock.takeover");
        case Step::Lease:
            break;
        }
        return QByteArrayLiteral("lock.ttl");
    }
    QString title() const override
    {
        switch (m_step) {
        case Step::Clear:
            return ActionText::tr("Clear");
        case Step::TakeOver:
            return ActionText::tr("Take over");
        case Step::Lease:
            break;
        }
        return ActionText::tr("Set lock TTL");
    }
    QString summary() const override
    {
        switch (m_step) {
        case Step::Clear:
            return ActionText::tr("delete an expired timestamp lock");
        case Step::TakeOver:
            return ActionText::tr("take over an expired timestamp lock");
        case Step::Lease:
            break;
        }
        return ActionText::tr("set the expiry of a timestamp lock");
    }
    bool removes() const override { return m_step == Step::Clear; }
    std::vector<ActionParameter> parameters() const override
    {
        if (m_step == Step::Clear)
            return {};
        return {{QByteArrayLiteral("ttl"),
                 ActionParameter::Type::Duration,
                 ActionText::tr("TTL"),
                 ActionText::tr("from now, such as 30s"),
                 true,
                 {},
                 {}}};
    }
    QString unavailable(const State& state) const override
    {
        const auto* lock = state.as<LockState>();
        if (state.present && m_step != Step::Lease && lock &&
            lock->phase != LockState::Phase::Expired)
            return ActionText::tr("it has not expired");
        return Action::unavailable(state);
    }
    std::vector<Command> prefetch(const State& state, const ActionRequest&,
                                  std::span<const Reply> prefetched) const override
    {
        return prefetchString(state.primitive->key("lock"), prefetched);
    }
    Result<Plan> plan(const ActionContext& context) const override;

private:
    Step m_step;
};

// The time in the format of value: with a fraction if it has one.
QByteArray momentLike(const QByteArray& value, double ms, TimeUnit unit)
{
    const double number = fromMs(ms, unit);
    return QByteArray::number(number, 'f', value.contains('.') ? 3 : 0);
}

Result<Plan> TimestampLock::plan(const ActionContext& context) const
{
    const Result<QByteArray> value = stringRead(context.prefetched);
    if (!value)
        return tl::unexpected(value.error());
    bool ok = false;
    const double number = value->toDouble(&ok);
    const auto unit = ok ? timeUnitOf(number) : std::nullopt;
    if (unit != TimeUnit::Seconds && unit != TimeUnit::Milliseconds)
        return notPossible(
            ActionText::tr("The value is not a timestamp in seconds or milliseconds"));
    const double endMs = toMs(number, *unit);
    if (m_step != Step::Lease && endMs >= double(context.nowMs))
        return notPossible(ActionText::tr("The lock has not expired: %1 left")
                               .arg(formatDuration(wholeMs(endMs) - context.nowMs)));
    const QByteArray key = context.state.primitive->key("lock");
    const QString name = nameOf(context.state);
    QByteArray next;
    Plan plan = planFor(*this, context.state);
    if (m_step == Step::Clear) {
        plan.question = ActionText::tr("Clear the expired lock %1?").arg(name);
        plan.consequence = ActionText::tr("The lock becomes available immediately.");
        plan.commands = {shown({"DEL", key})};
        plan.loses = true;
    } else {
        const qint64 ttlMs = *context.request.durationMs("ttl");
        next = momentLike(*value, double(context.nowMs + ttlMs), *unit);
        plan.question = m_step == Step::TakeOver
                            ? ActionText::tr("Take over the expired lock %1 for %2?")
                                  .arg(name, formatDuration(ttlMs))
                            : ActionText::tr("Set the TTL of the lock %1 to %2?")
                                  .arg(name, formatDuration(ttlMs));
        plan.consequence = m_step == Step::TakeOver
                               ? ActionText::tr("No other client gets it until then.")
                               : ActionText::tr("After that any client may take it over.");
        plan.commands = {shown({"SET", key, next})};
    }
    plan.expected =
        endMs < double(context.nowMs)
            ? ActionText::tr("expired %1 ago").arg(formatDuration(context.nowMs - wholeMs(endMs)))
            : ActionText::tr("held, %1 left").arg(formatDuration(wholeMs(endMs) - context.nowMs));
    plan.guard = m_step == Step::Lease
                     ? ActionText::tr("the value is still %1").arg(displayName(*value))
                     : ActionText::tr("the value is still %1 and in the past by the server's clock")
                           .arg(displayName(*value));
    plan.script = QByteArrayLiteral("timestamp-lock-replace");
    plan.keys = {key};
    plan.seen = {*value};
    plan.args = {*value, next, unit == TimeUnit::Seconds ? "s" : "ms",
                 m_step == Step::Lease ? "0" : "1"};
    plan.undo.kind = UndoWay::Kind::Restore;
    return plan;
}

} // namespace

const Action& clearTimestampLock()
{
    static const TimestampLock action(Step::Clear);
    return action;
}

const Action& takeOverTimestampLock()
{
    static const TimestampLock action(Step::TakeOver);
    return action;
}

const Action& setTimestampLockTtl()
{
    static const TimestampLock action(Step::Lease);
    return action;
}

} // namespace lk::actions
