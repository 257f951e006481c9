// SPDX-License-Identifier: GPL-3.0-or-later
// A lock whose value is the time of its end.
#include "backend/libraries/families/locks/lockactions.h"
#include "backend/libraries/families/locks/lockfile.h"
#include "backend/libraries/families/locks/timestamplock.h"

namespace lk {

namespace {

class TimestampLockFile final : public LockFileLayout
{
public:
    using LockFileLayout::LockFileLayout;

    ActionList actions() const override { return timestampLockActions(); }

protected:
    bool proves(const KeyRule&, const NameValues&, const Probe& probe) const override
    {
        return timestampLockEndMs(probe.head).has_value();
    }
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

namespace families {

Family timestampLockFamily()
{
    return {"timestamp-lock",
            Kind::Lock,
            {{"lock", {KeyType::String}, true}},
            {},
            {},
            [](LayoutFilePtr file) -> std::unique_ptr<const Layout> {
                return std::make_unique<TimestampLockFile>(std::move(file));
            }};
}

} // namespace families

} // namespace lk
