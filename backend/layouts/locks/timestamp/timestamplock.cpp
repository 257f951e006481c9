// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/layouts/locks/timestamp/timestamplock.h"

#include "backend/core/timeunit.h"
#include "backend/layouts/locks/locknames.h"
#include "backend/layouts/probe/replyvalues.h"

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

void readEnd(State& state, LockState& lock, double endsMs, qint64 nowMs)
{
    const bool expired = endsMs < double(nowMs);
    lock.phase = expired ? LockState::Phase::Expired : LockState::Phase::Held;
    lock.leaseMs = std::max<qint64>(0, wholeMs(std::ceil(endsMs)) - nowMs);
    state.health = expired ? Health::Error : Health::Ok;
    state.urgency = std::abs(endsMs - double(nowMs)) / 1000;
    if (!expired)
        state.revisitAtMs = nowMs + *lock.leaseMs + 1;
}

} // namespace

std::optional<double> timestampLockEndMs(const QByteArray& value)
{
    const auto number = decimalNumber(value);
    const auto unit = number ? timeUnitOf(*number) : std::nullopt;
    if (unit != TimeUnit::Seconds && unit != TimeUnit::Milliseconds)
        return std::nullopt;
    return toMs(*number, *unit);
}

std::vector<Command> timestampLockReads(const QByteArray& key)
{
    return commandsOf(probecommands::head(key), probecommands::ttl(key));
}

State timestampLockState(std::span<const Reply> replies, qint64 nowMs)
{
    State state;
    const Ttl ttl = ttlOf(replies[1]);
    state.present = ttl.exists;
    state.ttlMs = ttl.ms;
    LockState lock;
    if (ttl.exists) {
        lock.holds = 1;
        if (const auto end = timestampLockEndMs(replies[0].text)) {
            readEnd(state, lock, *end, nowMs);
        } else {
            state.problem =
                Error{ErrorCode::Undecodable, LayoutText::tr("the value is not a timestamp")};
            state.health = Health::Error;
        }
    }
    state.body = std::move(lock);
    return state;
}

std::optional<Claim> TimestampLock::classify(const Probe& probe) const
{
    if (probe.type != KeyType::String ||
        probe.ttlMs.has_value() != m_rule.ttlAfterEndMs.has_value())
        return std::nullopt;
    const auto number = decimalNumber(probe.head);
    const auto unit = number ? timeUnitOf(*number) : std::nullopt;
    if (unit != (m_rule.milliseconds ? TimeUnit::Milliseconds : TimeUnit::Seconds))
        return std::nullopt;
    if (m_rule.fraction && !probe.head.contains('.'))
        return std::nullopt;
    const bool placed =
        m_rule.places.isEmpty() ||
        std::any_of(m_rule.places.begin(), m_rule.places.end(), [&](const QByteArray& place) {
            return segmentAt(probe.name, {place.constData(), size_t(place.size())}) >= 0;
        });
    if (!placed || !probe.name.endsWith(m_rule.end) || (m_rule.lockWord && !isLockName(probe.name)))
        return std::nullopt;
    if (m_rule.ttlAfterEndMs) {
        const double ends = double(probe.nowMs + *probe.ttlMs - *m_rule.ttlAfterEndMs);
        if (std::abs(toMs(*number, *unit) - ends) > double(m_rule.playMs))
            return std::nullopt;
    }
    return Claim{{id(), probe.name}, {{mainRole(), probe.name}}, m_rule.confidence};
}

} // namespace lk
