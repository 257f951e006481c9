// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/locks/timestamplock.h"

#include "backend/core/timeunit.h"
#include "backend/libraries/detect/replyvalues.h"

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

} // namespace lk
