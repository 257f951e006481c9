// SPDX-License-Identifier: GPL-3.0-or-later
// A sorted set with a member for each running request. The score is the time when it began or when
// it no longer counts.
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/limiters/limiterfile.h"
#include "backend/libraries/families/marks.h"

#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

using Shape = FamilySetting::Shape;

class ConcurrencyFile final : public LimiterFileLayout
{
public:
    explicit ConcurrencyFile(LayoutFilePtr file)
        : LimiterFileLayout(std::move(file))
        , m_deadlines(this->file().setting<QByteArray>("score", "began") == "deadline")
        , m_staleMs(this->file().setting<qint64>("stale", 0))
    {}

protected:
    std::vector<Command> reads(const Primitive& primitive,
                               const ReadContext& context) const override
    {
        return readsOf(query(primitive, context));
    }

    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        State& state = reading.state;
        const MarksQuery asked = query(primitive, context);
        const Marks marks = marksOf(asked, replies);
        reading.wantsLarge = marks.cut;
        LimiterState limiter = limiterOf(primitive, valuesOf(primitive), Algorithm::Concurrency);
        state.ttlMs = marks.ttlMs;
        if (!marks.exists) {
            state.body = limiter;
            finalizeAbsentLimiter(state);
            return reading;
        }
        qint64 live = marks.stored;
        if (asked.cutoffMs && marks.complete())
            live = std::count_if(marks.oldest.begin(), marks.oldest.end(),
                                 [&](double ms) { return ms > *asked.cutoffMs; });
        else if (asked.cutoffMs && marks.counted)
            live = *marks.counted;
        limiter.occupancy = live;
        limiter.occupancyIsUpperBound = !asked.cutoffMs;
        if (marks.stored > live)
            state.facts.push_back({LayoutText::tr("Never released"),
                                   QLocale().toString(marks.stored - live), Source::Stored});
        state.body = std::move(limiter);
        finalizeLimiter(state);
        return reading;
    }

private:
    MarksQuery query(const Primitive& primitive, const ReadContext& context) const
    {
        MarksQuery query{primitive.keys.front().key, {}, {}, context.large, false};
        if (m_deadlines)
            query.cutoffMs = double(context.nowMs);
        else if (m_staleMs > 0)
            query.cutoffMs = double(context.nowMs - m_staleMs);
        return query;
    }

    bool m_deadlines;
    qint64 m_staleMs; ///< 0: unknown
};

} // namespace

namespace families {

Family concurrencyFamily()
{
    return {"concurrency",
            Kind::Limiter,
            {{"holders", {KeyType::ZSet}, true},
             {"queue", {KeyType::ZSet}},
             {"stats", {KeyType::Hash}}},
            {{"score", Shape::Word, {"began", "deadline"}}, {"stale", Shape::Duration}},
            {},
            [](LayoutFilePtr file) -> std::unique_ptr<const Layout> {
                return std::make_unique<ConcurrencyFile>(std::move(file));
            }};
}

} // namespace families

} // namespace lk
