// SPDX-License-Identifier: GPL-3.0-or-later
// Two counters: that of this window and that of the last one. The latter counts in proportion to
// the part that the sliding window still covers.
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/limiters/limiterfile.h"

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

class SlidingCounterFile final : public LimiterFileLayout
{
public:
    explicit SlidingCounterFile(LayoutFilePtr file)
        : LimiterFileLayout(std::move(file))
        , m_byBucket(this->file().window.rule == "bucket")
        , m_longerMs(this->file().setting<qint64>("longer", 0))
    {}

    std::vector<QByteArray> countingKeys(const State& state, qint64 nowMs) const override
    {
        ReadContext context;
        context.nowMs = nowMs;
        context.previous = &state;
        std::vector<QByteArray> keys = keysAt(*state.primitive, context);
        std::erase(keys, QByteArray());
        return keys;
    }

protected:
    bool proves(const KeyRule&, const NameValues& values, const Probe& probe) const override
    {
        if (!wholeNumber(probe.head) || !probe.ttlMs)
            return false;
        if (!m_byBucket) {
            const auto window = windowInName(file().window, values);
            return !window || *probe.ttlMs <= 2 * *window + 2000;
        }
        // The key lives two windows from its first request on; some libraries add a second.
        const qint64 bucket = values.value("bucket").toLongLong();
        const auto window = windowOfBucket(bucket, probe.nowMs);
        const qint64 endsMs = probe.nowMs + *probe.ttlMs - m_longerMs;
        const qint64 late = window ? std::min<qint64>(500, *window / 4) : 0;
        return window && endsMs >= (bucket + 2) * *window - late &&
               endsMs <= (bucket + 3) * *window + late;
    }

    std::vector<Command> reads(const Primitive& primitive,
                               const ReadContext& context) const override
    {
        std::vector<Command> commands;
        for (const QByteArray& key : keysAt(primitive, context)) {
            commands.push_back(probecommands::head(key));
            commands.push_back(probecommands::ttl(key));
        }
        if (const QByteArray limit = limitKey(primitive); !limit.isEmpty())
            commands.push_back(probecommands::head(limit));
        return commands;
    }

    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override;

private:
    std::optional<qint64> windowOf(const Primitive& primitive, const ReadContext& context) const;
    std::vector<QByteArray> keysAt(const Primitive& primitive, const ReadContext& context) const;

    bool m_byBucket;
    qint64 m_longerMs; ///< how much longer than two windows the key lives
};

// Computed once, since an older name gives a less exact result.
std::optional<qint64> SlidingCounterFile::windowOf(const Primitive& primitive,
                                                   const ReadContext& context) const
{
    const NameValues values = valuesOf(primitive);
    const LimiterState known = limiterOf(primitive, values, Algorithm::SlidingCounter);
    const LimiterState* before = context.previous ? context.previous->as<LimiterState>() : nullptr;
    if (known.windowMs || !m_byBucket)
        return known.windowMs;
    if (before && before->windowMs)
        return before->windowMs;
    return windowOfBucket(values.value("bucket").toLongLong(), context.nowMs);
}

// The keys of this window and of the last one.
std::vector<QByteArray> SlidingCounterFile::keysAt(const Primitive& primitive,
                                                   const ReadContext& context) const
{
    const QByteArray current = primitive.key("current");
    const QByteArray previous = primitive.key("previous");
    const auto window = m_byBucket ? windowOf(primitive, context) : std::nullopt;
    if (!window)
        return {current, previous};
    NameValues values = valuesOf(primitive);
    const qint64 bucket = context.nowMs / *window;
    std::vector<QByteArray> keys;
    for (const qint64 at : {bucket, bucket - 1}) {
        values.set("bucket", QByteArray::number(at));
        keys.push_back(claims().mainKeyFor(values, current));
    }
    return keys;
}

DecodeResult SlidingCounterFile::read(const Primitive& primitive, std::span<const Reply> replies,
                                      const ReadContext& context) const
{
    DecodeResult reading;
    State& state = reading.state;
    LimiterState limiter = limiterOf(primitive, valuesOf(primitive), Algorithm::SlidingCounter);
    if (!limiter.windowMs && (limiter.windowMs = windowOf(primitive, context)))
        limiter.windowSource = Source::Inferred;
    if (replies.size() > 4)
        takeLimit(limiter, replies[4]);
    const Ttl ttl = ttlOf(replies[1]);
    const Ttl previousTtl = ttlOf(replies[3]);
    state.ttlMs = ttl.ms;
    if (!ttl.exists && !previousTtl.exists) {
        state.body = limiter;
        finalizeAbsentLimiter(state);
        return reading;
    }
    const double current = double(wholeNumber(replies[0].text).value_or(0));
    const double previous = double(wholeNumber(replies[2].text).value_or(0));
    double part = 0; // the part of the last window that still counts
    if (limiter.windowMs && m_byBucket)
        part = 1 - double(context.nowMs % *limiter.windowMs) / double(*limiter.windowMs);
    else if (limiter.windowMs && previousTtl.ms)
        part = std::min(1.0, double(*previousTtl.ms) / double(*limiter.windowMs));
    limiter.occupancy = qint64(std::floor(previous * part)) + qint64(current);
    if (!limiter.windowMs && previous > 0) {
        limiter.occupancy = qint64(previous + current);
        limiter.occupancyIsUpperBound = true;
    }
    if (limiter.limit && *limiter.occupancy >= *limiter.limit && previous > 0 && limiter.windowMs &&
        current < double(*limiter.limit)) {
        // The share of the last window shrinks with time.
        const double tooMany = double(*limiter.occupancy - *limiter.limit + 1);
        limiter.nextFreeMs = wholeMs(std::ceil(tooMany / previous * double(*limiter.windowMs)));
    }
    if (limiter.windowMs)
        state.revisitAtMs = context.nowMs + std::max<qint64>(1000, *limiter.windowMs / 20);
    state.body = std::move(limiter);
    finalizeLimiter(state);
    return reading;
}

} // namespace

namespace families {

Family slidingCounterFamily()
{
    return {"sliding-counter",
            Kind::Limiter,
            {{"current", {KeyType::String}, true},
             {"previous", {KeyType::String}},
             {"limit", {KeyType::String}}},
            {{"longer", FamilySetting::Shape::Duration}},
            {"bucket"},
            [](LayoutFilePtr file) -> std::unique_ptr<const Layout> {
                return std::make_unique<SlidingCounterFile>(std::move(file));
            }};
}

} // namespace families

} // namespace lk
