// SPDX-License-Identifier: GPL-3.0-or-later
// Discourse's DistributedMutex. The value is the time of the lock's end in whole seconds. The key
// lives one or two seconds longer.
#include "backend/core/timeunit.h"
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/locks/locknames.h"
#include "backend/libraries/families/locks/timestamplock.h"

#include <cmath>

namespace lk {

namespace {

class DiscourseMutex final : public PlannedLayout
{
public:
    QByteArray id() const override { return QByteArrayLiteral("discourse-mutex"); }
    QString title() const override { return LayoutText::tr("Discourse mutex"); }
    Kind kind() const override { return Kind::Lock; }
    bool wants(KeyType type) const override { return type == KeyType::String; }
    QByteArray mainRole() const override { return QByteArrayLiteral("lock"); }
    KeyType mainType() const override { return KeyType::String; }
    ActionList actions() const override { return timestampLockActions(); }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        constexpr double longerMs = 1500; // by which the TTL exceeds the value's end
        constexpr double toleranceMs = 700;
        if (probe.type != KeyType::String || !probe.ttlMs)
            return std::nullopt;
        const auto number = decimalNumber(probe.head);
        if (!number || timeUnitOf(*number) != TimeUnit::Seconds || !isLockName(probe.name) ||
            std::abs(*number * 1000 + longerMs - double(probe.nowMs + *probe.ttlMs)) > toleranceMs)
            return std::nullopt;
        return Claim{{id(), probe.name}, {{mainRole(), probe.name}}, 0.9};
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

LK_LAYOUT(discourseMutex, DiscourseMutex)

} // namespace lk
