// SPDX-License-Identifier: GPL-3.0-or-later
// SETNX key <time at which the lock ends>: the older recipe, without TTL. An ended lock stays until
// somebody takes it over by GETSET. Also redis-mutex and redis-objects (seconds, with fraction).
#include "backend/layouts/locks/timestamplock.h"

#include "backend/core/keyname.h"

#include <cmath>

namespace lk {

namespace {

constexpr qint64 dayMs = 24LL * 3600 * 1000;

bool isLockName(const QByteArray& name)
{
    return hasWord(name, {"lock", "locks", "locked", "lck", "mutex", "mutexes", "redismutex"});
}

// Times that are only times.
bool namedOtherwise(const QByteArray& name)
{
    return hasWord(name, {"last",    "at",       "time",     "timestamp", "ts",      "updated",
                          "created", "since",    "sync",     "lastsync",  "run",     "seen",
                          "start",   "started",  "date",     "expires",   "expiry",  "timer",
                          "next",    "checked",  "modified", "heartbeat", "beat",    "clock",
                          "epoch",   "lastsave", "finished", "done",      "deadline"});
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
        const auto end = timestampLockEndMs(probe.head);
        if (!end)
            return std::nullopt;
        const Claim claim{{id(), probe.name}, {{mainRole(), probe.name}}, 0.85};
        if (isLockName(probe.name))
            return claim;
        if (namedOtherwise(probe.name) || std::abs(*end - double(probe.nowMs)) > double(dayMs))
            return std::nullopt;
        return Claim{claim.id, claim.keys, 0.4};
    }

    std::vector<QByteArray> actions() const override
    {
        return {"lock.release", "lock.clear", "lock.takeover", "lock.lease/timestamp"};
    }

protected:
    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override
    {
        return timestampLockReads(primitive.key("lock"));
    }

    DecodeResult read(const Primitive&, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        reading.state = timestampLockState(replies, context.nowMs);
        return reading;
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
