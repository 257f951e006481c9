// SPDX-License-Identifier: GPL-3.0-or-later
// A gate that is closed while the key exists: a ban, a cooldown.
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/limiters/limiteractions.h"
#include "backend/libraries/families/limiters/limiterfile.h"

namespace lk {

namespace {

class GateFile final : public LimiterFileLayout
{
public:
    using LimiterFileLayout::LimiterFileLayout;

    ActionList actions() const override
    {
        return {&actions::checkLimiter(), &actions::openGate(), &actions::clearLimiter()};
    }

protected:
    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override
    {
        return commandsOf(probecommands::ttl(primitive.keys.front().key));
    }

    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        State& state = reading.state;
        LimiterState limiter = limiterOf(primitive, valuesOf(primitive), Algorithm::Gate);
        limiter.limit = 1; // by definition of a gate
        limiter.limitSource = Source::Inferred;
        const Ttl ttl = ttlOf(replies[0]);
        state.ttlMs = ttl.ms;
        if (!ttl.exists) {
            state.body = limiter;
            finalizeAbsentLimiter(state);
            return reading;
        }
        limiter.occupancy = 1;
        limiter.nextFreeMs = ttl.ms;
        if (ttl.ms)
            state.revisitAtMs = context.nowMs + *ttl.ms + 1;
        state.body = std::move(limiter);
        finalizeLimiter(state, !ttl.ms);
        return reading;
    }
};

} // namespace

namespace families {

Family gateFamily()
{
    return {"gate",
            Kind::Limiter,
            {{"gate", {KeyType::String}, true}},
            {},
            {},
            [](LayoutFilePtr file) -> std::unique_ptr<const Layout> {
                return std::make_unique<GateFile>(std::move(file));
            }};
}

} // namespace families

} // namespace lk
