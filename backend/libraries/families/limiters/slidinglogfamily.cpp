// SPDX-License-Identifier: GPL-3.0-or-later
// A mark with a time for each request, in a sorted set or in a list.
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/limiters/limiteractions.h"
#include "backend/libraries/families/limiters/limiterfile.h"
#include "backend/libraries/families/marks.h"

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

using Shape = FamilySetting::Shape;

constexpr int mostElements = 256; // the newest elements of a list that are read

QByteArray elementIn(const Reply& reply)
{
    return reply.items.empty() ? QByteArray() : reply.items.front().text;
}

bool inWholeSeconds(const Marks& marks)
{
    return !marks.newest.empty() && std::fmod(marks.newest.back(), 1000) == 0;
}

class SlidingLogFile final : public LimiterFileLayout
{
public:
    explicit SlidingLogFile(LayoutFilePtr file)
        : LimiterFileLayout(std::move(file))
        , m_newestFirst(this->file().setting<QByteArray>("order", "newest-first") == "newest-first")
        , m_rearmed(this->file().window.rule == "rearmed")
    {}

    ActionList actions() const override
    {
        if (isList() || file().key("block"))
            return {&actions::checkLimiter(), &actions::clearLimiter()};
        return {&actions::checkLimiter(), &actions::freeMarks(), &actions::clearLimiter()};
    }

protected:
    // No mark is older than the window in the name.
    bool proves(const KeyRule& rule, const NameValues& values, const Probe& probe) const override
    {
        const auto window = windowInName(file().window, values);
        return rule.role != mainRole() || file().window.from != NumberRule::From::Name || !window ||
               probe.ttlMs.value_or(0) <= *window + 2000;
    }

    std::vector<Command> reads(const Primitive& primitive,
                               const ReadContext& context) const override
    {
        std::vector<Command> commands =
            isList() ? listReads(primitive.keys.front().key) : readsOf(query(primitive, context));
        if (const QByteArray block = primitive.key("block"); !block.isEmpty())
            commands.push_back(probecommands::ttl(block));
        return commands;
    }

    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override;

private:
    bool isList() const { return mainType() == KeyType::List; }

    std::vector<Command> listReads(const QByteArray& key) const
    {
        const QByteArray most = QByteArray::number(mostElements - 1);
        const QByteArray from = QByteArray::number(-mostElements);
        return {{"LLEN", key},
                m_newestFirst ? Command{"LRANGE", key, "0", most}
                              : Command{"LRANGE", key, from, "-1"},
                m_newestFirst ? probecommands::lastElement(key) : probecommands::firstElement(key),
                probecommands::ttl(key)};
    }

    Marks listMarks(std::span<const Reply> replies) const;

    MarksQuery query(const Primitive& primitive, const ReadContext& context) const
    {
        const LimiterState known = limiterOf(primitive, valuesOf(primitive), Algorithm::SlidingLog);
        return {primitive.keys.front().key, known.limit, cutoffOf(known.windowMs, context.nowMs),
                context.large, context.depth == Depth::Detail};
    }

    bool m_newestFirst;
    bool m_rearmed;
};

Marks SlidingLogFile::listMarks(std::span<const Reply> replies) const
{
    Marks marks;
    marks.stored = countOf(replies[0]);
    const Ttl ttl = ttlOf(replies[3]);
    marks.exists = ttl.exists && marks.stored > 0;
    marks.ttlMs = ttl.ms;
    for (const Reply& item : replies[1].items) {
        if (const auto ms = timeInText(item.text))
            marks.newest.push_back(*ms);
    }
    std::sort(marks.newest.begin(), marks.newest.end());
    if (marks.stored <= qint64(marks.newest.size()))
        marks.oldest = marks.newest;
    else if (const auto oldest = timeInText(elementIn(replies[2])))
        marks.oldest = {*oldest};
    return marks;
}

DecodeResult SlidingLogFile::read(const Primitive& primitive, std::span<const Reply> replies,
                                  const ReadContext& context) const
{
    DecodeResult reading;
    State& state = reading.state;
    const Marks marks = isList() ? listMarks(replies) : marksOf(query(primitive, context), replies);
    reading.wantsLarge = marks.cut;
    LimiterState limiter = limiterOf(primitive, valuesOf(primitive), Algorithm::SlidingLog);
    if (!limiter.windowMs && m_rearmed &&
        (limiter.windowMs = windowFromTtl(marks, context.nowMs, context.previous)))
        limiter.windowSource = Source::Inferred;
    // Marks in whole seconds lack the fraction, which makes the window seem longer.
    if (limiter.windowSource == Source::Inferred && inWholeSeconds(marks))
        limiter.windowMs = *limiter.windowMs / 1000 * 1000;
    state.ttlMs = marks.ttlMs;
    const Ttl block = primitive.key("block").isEmpty() ? Ttl() : ttlOf(replies.back());
    if (marks.exists)
        countMarks(limiter, state.revisitAtMs, marks, cutoffOf(limiter.windowMs, context.nowMs),
                   context.nowMs);
    if (block.exists) {
        limiter.remaining = 0;
        limiter.nextFreeMs = limiter.retryAfterMs = block.ms;
        state.facts.push_back({LayoutText::tr("Blocked"), LayoutText::tr("yes"), Source::Stored});
    }
    state.body = std::move(limiter);
    marks.exists || block.exists ? finalizeLimiter(state) : finalizeAbsentLimiter(state);
    return reading;
}

} // namespace

namespace families {

Family slidingLogFamily()
{
    return {"sliding-log",
            Kind::Limiter,
            {{"window", {KeyType::ZSet, KeyType::List}, true},
             {"list", {KeyType::List}},
             {"block", {KeyType::String}}},
            {{"order", Shape::Word, {"newest-first", "oldest-first"}}},
            {"rearmed"},
            [](LayoutFilePtr file) -> std::unique_ptr<const Layout> {
                return std::make_unique<SlidingLogFile>(std::move(file));
            }};
}

} // namespace families

} // namespace lk
