// SPDX-License-Identifier: GPL-3.0-or-later
// SETNX key <time at which the lock ends>: the older recipe, without TTL. An ended lock stays until
// somebody takes it over by GETSET. Also redis-mutex and redis-objects (seconds, with fraction).
#include "backend/core/timeunit.h"
#include "backend/layouts/namehints.h"
#include "backend/layouts/plannedlayout.h"
#include "backend/layouts/replyvalues.h"

#include "backend/core/keyname.h"

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

constexpr qint64 dayMs = 24LL * 3600 * 1000;

bool isLockName(const QByteArray& name)
{
    return leadsOrEnds(name, {"lock", "locks", "lck", "mutex", "mutexes", "redismutex"});
}

// What happened to a lock, or when it will.
bool tellsAboutLocks(const QByteArray& name)
{
    return hasWord(name, {"at",      "until",   "time",     "timestamp", "ts",      "expires",
                          "expiry",  "version", "count",    "history",   "timeout", "ttl",
                          "since",   "updated", "created",  "seen",      "last",    "date",
                          "checked", "account", "accounts", "door"});
}

// Times that are only times.
bool namedOtherwise(const QByteArray& name)
{
    return hasWord(name, {"last",    "at",        "time",      "timestamp", "ts",       "updated",
                          "created", "since",     "sync",      "lastsync",  "run",      "seen",
                          "start",   "started",   "date",      "expires",   "expiry",   "timer",
                          "next",    "checked",   "modified",  "heartbeat", "beat",     "clock",
                          "epoch",   "lastsave",  "finished",  "done",      "deadline", "until",
                          "on",      "version",   "id",        "seq",       "sequence", "offset",
                          "cursor",  "watermark", "birth",     "born",      "login",    "visit",
                          "count",   "counter",   "published", "opened",    "closed",   "timeout",
                          "ttl",     "history",   "stats",     "total",     "boot",     "uptime",
                          "release", "build",     "deploy",    "schedule",  "locked"});
}

// Seconds, with a fraction or not, or milliseconds.
std::optional<double> endMs(const QByteArray& value)
{
    const auto number = decimalNumber(value);
    const auto unit = number ? timeUnitOf(*number) : std::nullopt;
    if (unit != TimeUnit::Seconds && unit != TimeUnit::Milliseconds)
        return std::nullopt;
    return toMs(*number, *unit);
}

class SetNxTimestamp final : public PlannedLayout
{
public:
    QByteArray id() const override { return QByteArrayLiteral("setnx-timestamp"); }
    QString title() const override { return LayoutText::tr("Timestamp lock"); }
    Kind kind() const override { return Kind::Lock; }
    bool wants(KeyType type) const override { return type == KeyType::String; }
    QByteArray mainRole() const override { return QByteArrayLiteral("lock"); }
    KeyType mainType() const override { return KeyType::String; }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (probe.type != KeyType::String || probe.ttlMs)
            return std::nullopt;
        const auto end = endMs(probe.head);
        if (!end)
            return std::nullopt;
        Claim claim{{id(), probe.name}, {{mainRole(), probe.name}}, 0.85, {}, Doubt::OtherWords};
        if (isLockName(probe.name)) {
            claim.confidence = tellsAboutLocks(probe.name) ? 0.3 : 0.85;
            return claim;
        }
        if (namedOtherwise(probe.name) || std::abs(*end - double(probe.nowMs)) > double(dayMs))
            return std::nullopt;
        claim.confidence = 0.3;
        claim.doubt = Doubt::ValueOnly;
        return claim;
    }

    std::vector<QByteArray> actions() const override
    {
        return {"lock.release", "lock.clear", "lock.takeover", "lock.lease/timestamp"};
    }

protected:
    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override
    {
        const QByteArray key = primitive.key("lock");
        return {probecommands::head(key), probecommands::ttl(key)};
    }

    DecodeResult read(const Primitive&, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        State& state = reading.state;
        const Ttl ttl = ttlOf(replies[1]);
        state.present = ttl.exists;
        state.ttlMs = ttl.ms;
        LockState lock;
        if (ttl.exists) {
            lock.holds = 1;
            if (const auto end = endMs(replies[0].text))
                readEnd(state, lock, *end, context.nowMs);
            else
                state.problem =
                    Error{ErrorCode::Undecodable, LayoutText::tr("the value is not a timestamp")};
        }
        if (state.problem)
            state.health = Health::Bad;
        state.body = std::move(lock);
        return reading;
    }

private:
    static void readEnd(State& state, LockState& lock, double endsMs, qint64 nowMs)
    {
        const bool expired = endsMs < double(nowMs);
        lock.phase = expired ? LockState::Phase::Expired : LockState::Phase::Held;
        lock.leaseMs = std::max<qint64>(0, wholeMs(std::ceil(endsMs)) - nowMs);
        state.health = expired ? Health::Bad : Health::Ok;
        state.urgency = std::abs(endsMs - double(nowMs)) / 1000;
        if (!expired)
            state.revisitAtMs = nowMs + *lock.leaseMs + 1;
    }
};

} // namespace

namespace layouts {
const Layout& setNxTimestamp()
{
    static const SetNxTimestamp layout;
    return layout;
}
} // namespace layouts

} // namespace lk
