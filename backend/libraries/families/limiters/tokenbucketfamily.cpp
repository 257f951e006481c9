// SPDX-License-Identifier: GPL-3.0-or-later
// The level of a token or leaky bucket and the time of its last update: in a hash, or in a string
// with a second one for the time.
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/limiters/limiterfile.h"

#include "backend/text/time/duration.h"

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

using Shape = FamilySetting::Shape;

class TokenBucketFile final : public LimiterFileLayout
{
public:
    explicit TokenBucketFile(LayoutFilePtr file)
        : LimiterFileLayout(std::move(file))
        , m_tokensField(this->file().setting<QByteArray>("tokens_field", "tokens"))
        , m_timeField(this->file().setting<QByteArray>("time_field", "last"))
        , m_leaky(this->file().setting<QByteArray>("holds", "tokens") == "used")
    {
        readField(m_tokensField);
        readField(m_timeField);
    }

    std::vector<QByteArray> hashFields() const override { return isHash() ? fields() : none(); }

protected:
    // Level and time are numbers, and the time is in the past.
    bool proves(const KeyRule& rule, const NameValues&, const Probe& probe) const override
    {
        if (rule.role == "timestamp")
            return isTimePast(probe.head, probe.nowMs);
        if (!isHash())
            return decimalNumber(probe.head).has_value();
        const QByteArray* tokens = probe.field(m_tokensField.constData());
        const QByteArray* time = probe.field(m_timeField.constData());
        return tokens && time && decimalNumber(*tokens) && isTimePast(*time, probe.nowMs);
    }

    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override
    {
        const QByteArray key = primitive.keys.front().key;
        if (isHash())
            return {readFields(key), probecommands::ttl(key)};
        return commandsOf(probecommands::head(key), probecommands::ttl(key),
                          probecommands::head(primitive.key("timestamp")));
    }

    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        State& state = reading.state;
        LimiterState limiter = limiterOf(primitive, valuesOf(primitive), Algorithm::TokenBucket);
        const Ttl ttl = ttlOf(replies[1]);
        state.ttlMs = ttl.ms;
        if (!ttl.exists) { // no key: nothing is used
            state.body = limiter;
            finalizeAbsentLimiter(state);
            return reading;
        }
        if (isHash())
            takeFields(limiter, replies[0]);
        const auto held = isHash() ? number(replies[0], m_tokensField)
                                   : std::optional<double>(decimalNumber(replies[0].text));
        const auto since =
            isHash() ? timeInText(field(replies[0], m_timeField.constData()).value_or(QByteArray()))
                     : timeInText(replies[2].text);
        if (!held) {
            state.problem =
                Error{ErrorCode::Undecodable, LayoutText::tr("the value is not a number")};
            state.body = limiter;
            state.health = Health::Error;
            return reading;
        }
        fill(limiter, std::max(0.0, *held));
        if (since)
            state.facts.push_back(
                {LayoutText::tr("Counted at"), momentText(wholeMs(*since)), Source::Stored});
        if (ttl.ms)
            state.revisitAtMs = context.nowMs + *ttl.ms + 1;
        state.body = std::move(limiter);
        finalizeLimiter(state);
        return reading;
    }

private:
    bool isHash() const { return mainType() == KeyType::Hash; }
    static std::vector<QByteArray> none() { return {}; }

    static bool isTimePast(const QByteArray& text, qint64 nowMs)
    {
        constexpr double skewMs = 5000;
        const auto ms = timeInText(text);
        return ms && *ms <= double(nowMs) + skewMs;
    }

    // The level at the last update. No key stores how much was refilled since then.
    void fill(LimiterState& limiter, double held) const
    {
        if (m_leaky) {
            limiter.occupancy = qint64(std::ceil(held));
            limiter.occupancyIsUpperBound = true;
            return;
        }
        const qint64 tokens = qint64(std::floor(held));
        if (limiter.limit) {
            limiter.occupancy = std::max<qint64>(0, *limiter.limit - tokens);
            limiter.occupancyIsUpperBound = true;
        }
        limiter.remaining = tokens;
    }

    QByteArray m_tokensField;
    QByteArray m_timeField;
    bool m_leaky;
};

} // namespace

namespace families {

Family tokenBucketFamily()
{
    return {"token-bucket",
            Kind::Limiter,
            {{"bucket", {KeyType::Hash, KeyType::String}, true}, {"timestamp", {KeyType::String}}},
            {{"tokens_field"}, {"time_field"}, {"holds", Shape::Word, {"tokens", "used"}}},
            {},
            [](LayoutFilePtr file) -> std::unique_ptr<const Layout> {
                return std::make_unique<TokenBucketFile>(std::move(file));
            }};
}

} // namespace families

} // namespace lk
