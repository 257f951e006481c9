// SPDX-License-Identifier: GPL-3.0-or-later
// SETNX key <time at which the lock ends>: the older recipe, without a TTL. An ended lock stays
// until another client takes it over with GETSET. redis-mutex and redis-objects use it, too
// (seconds with a fraction).
#include "backend/core/timeunit.h"
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/namehints.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/detect/wordlists.h"
#include "backend/libraries/families/locks/lockactions.h"
#include "backend/libraries/families/locks/timestamplock.h"

#include "backend/core/names/namewords.h"

#include <cmath>

namespace lk {

namespace {

constexpr qint64 farthestEndMs = 24LL * 3600 * 1000;

bool isTimestampLockName(const QByteArray& name)
{
    return leadsOrEnds(name, words<"lock", "locks", "lck", "mutex", "mutexes", "redismutex">);
}

// Names of events of a lock, or of their times.
bool tellsWhen(const QByteArray& name)
{
    return hasWord(name, wordsIn<"lock-events">());
}

// Names of plain times.
bool isTimeName(const QByteArray& name)
{
    return hasWord(name, wordsIn<"plain-times">());
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
        Claim claim{{id(), probe.name}, {{mainRole(), probe.name}}, 0.85, {}, Doubt::OtherWords};
        if (isTimestampLockName(probe.name)) {
            claim.confidence = tellsWhen(probe.name) ? 0.3 : 0.85;
            return claim;
        }
        if (isTimeName(probe.name) || std::abs(*end - double(probe.nowMs)) > double(farthestEndMs))
            return std::nullopt;
        claim.confidence = 0.3;
        claim.doubt = Doubt::ValueOnly;
        return claim;
    }

    ActionList actions() const override { return timestampLockActions(); }

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

LK_LAYOUT(setNxTimestamp, SetNxTimestamp)

} // namespace lk
