// SPDX-License-Identifier: GPL-3.0-or-later
// The generic cell rate algorithm. Stores one number, the time at which the bucket is empty again,
// as a string or in a hash. The key's TTL ends at that time, which proves the layout with any name.
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/limiters/limiterfile.h"

#include "backend/text/time/duration.h"

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

using Shape = FamilySetting::Shape;

constexpr double lateMs = 1500; // rounding of TTLs to seconds, and the time between two reads

TimeUnit unitNamed(const QByteArray& name)
{
    return name == "ns"   ? TimeUnit::Nanoseconds
           : name == "us" ? TimeUnit::Microseconds
           : name == "ms" ? TimeUnit::Milliseconds
                          : TimeUnit::Seconds;
}

class GcraFile final : public LimiterFileLayout
{
public:
    explicit GcraFile(LayoutFilePtr file)
        : LimiterFileLayout(std::move(file))
        , m_unit(unitNamed(this->file().setting<QByteArray>("unit", "s")))
        , m_epochMs(double(this->file().setting<qint64>("epoch", 0)) * 1000)
        , m_tatField(this->file().setting<QByteArray>("tat_field", "tat"))
    {
        readField(m_tatField);
    }

    std::vector<QByteArray> hashFields() const override
    {
        return isHash() ? fields() : FileLayout::hashFields();
    }

protected:
    bool proves(const KeyRule&, const NameValues&, const Probe& probe) const override
    {
        const QByteArray* field = isHash() ? probe.field(m_tatField.constData()) : &probe.head;
        const auto tat = field ? tatOf(*field) : std::nullopt;
        return tat && probe.ttlMs && std::abs(*tat - double(probe.nowMs + *probe.ttlMs)) <= lateMs;
    }

    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override
    {
        const QByteArray key = primitive.keys.front().key;
        return commandsOf(isHash() ? readFields(key) : probecommands::head(key),
                          probecommands::ttl(key));
    }

    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        State& state = reading.state;
        LimiterState limiter = limiterOf(primitive, valuesOf(primitive), Algorithm::Gcra);
        const Ttl ttl = ttlOf(replies[1]);
        state.ttlMs = ttl.ms;
        const auto tat = tatOf(isHash() ? field(replies[0], m_tatField.constData()).value_or("")
                                        : replies[0].text);
        if (isHash())
            takeFields(limiter, replies[0]);
        if (!ttl.exists) {
            state.body = limiter;
            finalizeAbsentLimiter(state);
            return reading;
        }
        if (!tat) {
            state.problem =
                Error{ErrorCode::Undecodable, LayoutText::tr("the value is not a time")};
            state.body = limiter;
            state.health = Health::Error;
            return reading;
        }
        const double debtMs = std::max(0.0, *tat - double(context.nowMs));
        if (debtMs > 0)
            state.facts.push_back(
                {LayoutText::tr("Empty in"), formatDuration(wholeMs(debtMs)), Source::Stored});
        // The occupancy follows from the rate, which the library does not store.
        if (limiter.limit && limiter.windowMs && *limiter.windowMs > 0) {
            const double perRequestMs = double(*limiter.windowMs) / double(*limiter.limit);
            limiter.occupancy = qint64(std::ceil(debtMs / perRequestMs - 1e-6));
            if (*limiter.occupancy >= *limiter.limit)
                limiter.nextFreeMs = std::max<qint64>(
                    0, wholeMs(std::ceil(debtMs + perRequestMs - double(*limiter.windowMs))));
        }
        state.revisitAtMs = context.nowMs + std::max<qint64>(1, wholeMs(debtMs)) + 1;
        state.body = std::move(limiter);
        finalizeLimiter(state);
        return reading;
    }

private:
    bool isHash() const { return mainType() == KeyType::Hash; }
    /// The theoretical arrival time, in milliseconds since 1970.
    std::optional<double> tatOf(const QByteArray& text) const
    {
        const auto value = decimalNumber(text);
        const auto ms = value ? std::optional(toMs(*value, m_unit) + m_epochMs) : std::nullopt;
        return ms && timeUnitOf(*ms) == TimeUnit::Milliseconds ? ms : std::nullopt;
    }

    TimeUnit m_unit;
    double m_epochMs;
    QByteArray m_tatField;
};

} // namespace

namespace families {

Family gcraFamily()
{
    return {
        "gcra",
        Kind::Limiter,
        {{"tat", {KeyType::String, KeyType::Hash}, true}},
        {{"unit", Shape::Word, {"s", "ms", "us", "ns"}}, {"epoch", Shape::Count}, {"tat_field"}},
        {},
        [](LayoutFilePtr file) -> std::unique_ptr<const Layout> {
            return std::make_unique<GcraFile>(std::move(file));
        }};
}

} // namespace families

} // namespace lk
