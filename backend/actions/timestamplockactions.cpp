// SPDX-License-Identifier: GPL-3.0-or-later
// A string that holds the moment of its own end. GET, compare, GETSET in three steps lets two
// callers take over the same expired lock; one script that compares and replaces does not.
#include "backend/actions/actions.h"
#include "backend/actions/keylook.h"
#include "backend/actions/statetexts.h"

#include "backend/core/duration.h"
#include "backend/core/keyname.h"
#include "backend/core/timeunit.h"

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
        return QByteArrayLiteral("lock.lease");
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
        return ActionText::tr("Set the end");
    }
    QString summary() const override
    {
        switch (m_step) {
        case Step::Clear:
            return ActionText::tr("delete an expired lock that holds its end");
        case Step::TakeOver:
            return ActionText::tr("take an expired lock that holds its end, for a given time");
        case Step::Lease:
            break;
        }
        return ActionText::tr("let a lock that holds its end stop in a given time");
    }
    bool removes() const override { return m_step == Step::Clear; }
    std::vector<ActionParameter> parameters() const override
    {
        if (m_step == Step::Clear)
            return {};
        return {{QByteArrayLiteral("ttl"), ActionParameter::Type::Duration, ActionText::tr("Lease"),
                 ActionText::tr("how long from now: 30s"), true, {}, {}}};
    }
    QString unavailable(const State& state) const override
    {
        const auto* lock = state.as<LockState>();
        if (state.present && m_step != Step::Lease && lock
            && lock->phase != LockState::Phase::Expired)
            return ActionText::tr("it has not expired");
        return Action::unavailable(state);
    }
    std::vector<Command> look(const State& state, const ActionRequest&,
                              std::span<const Reply> looked) const override
    {
        return lookAtString(state.primitive->key("lock"), looked);
    }
    Result<Plan> plan(const ActionContext& context) const override;

private:
    Step m_step;
};

// As the value was written: with a fraction if it had one.
QByteArray momentLike(const QByteArray& value, double ms, TimeUnit unit)
{
    const double number = fromMs(ms, unit);
    return QByteArray::number(number, 'f', value.contains('.') ? 3 : 0);
}

Result<Plan> TimestampLock::plan(const ActionContext& context) const
{
    const Result<QByteArray> value = stringSeen(context.looked);
    if (!value)
        return tl::unexpected(value.error());
    bool ok = false;
    const double number = value->toDouble(&ok);
    const auto unit = ok ? timeUnitOf(number) : std::nullopt;
    if (unit != TimeUnit::Seconds && unit != TimeUnit::Milliseconds)
        return notPossible(ActionText::tr("The value is no moment in seconds or milliseconds"));
    const double endMs = toMs(number, *unit);
    if (m_step != Step::Lease && endMs >= double(context.nowMs))
        return notPossible(ActionText::tr("The lock has not expired: it is held for another %1")
                               .arg(formatDuration(wholeMs(endMs) - context.nowMs)));
    const QByteArray key = context.state.primitive->key("lock");
    const QString name = nameOf(context.state);
    QByteArray next;
    Plan plan = planFor(*this, context.state);
    if (m_step == Step::Clear) {
        plan.question = ActionText::tr("Clear the expired lock %1?").arg(name);
        plan.consequence = ActionText::tr("Whoever wants it next gets it at once.");
        plan.commands = {shown({"DEL", key})};
        plan.loses = true;
    } else {
        const qint64 ttlMs = *context.request.durationMs("ttl");
        next = momentLike(*value, double(context.nowMs + ttlMs), *unit);
        plan.question = m_step == Step::TakeOver
                            ? ActionText::tr("Take over the expired lock %1 for %2?")
                                  .arg(name, formatDuration(ttlMs))
                            : ActionText::tr("Let the lock %1 end in %2?")
                                  .arg(name, formatDuration(ttlMs));
        plan.consequence = m_step == Step::TakeOver
                               ? ActionText::tr("Nobody else gets it until then.")
                               : ActionText::tr("Whoever wants it may take it over from then on.");
        plan.commands = {shown({"SET", key, next})};
    }
    plan.expected = endMs < double(context.nowMs)
                        ? ActionText::tr("expired %1 ago")
                              .arg(formatDuration(context.nowMs - wholeMs(endMs)))
                        : ActionText::tr("held for another %1")
                              .arg(formatDuration(wholeMs(endMs) - context.nowMs));
    plan.guard = m_step == Step::Lease
                     ? ActionText::tr("the value still is %1").arg(displayName(*value))
                     : ActionText::tr("the value still is %1 and has passed by the server's clock")
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

const Action& leaseTimestampLock()
{
    static const TimestampLock action(Step::Lease);
    return action;
}

} // namespace lk::actions
