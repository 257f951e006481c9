// SPDX-License-Identifier: GPL-3.0-or-later
// A counter for each window. The window ends by TTL, by a stored time, or because the next window
// has another key name.
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/limiters/limiteractions.h"
#include "backend/libraries/families/limiters/limiterfile.h"
#include "backend/text/time/duration.h"

#include <algorithm>

namespace lk {

namespace {

using Shape = FamilySetting::Shape;

constexpr qint64 largestCount = 1'000'000'000; // larger numbers are times, not counts

class FixedWindowFile final : public LimiterFileLayout
{
public:
    explicit FixedWindowFile(LayoutFilePtr file)
        : LimiterFileLayout(std::move(file))
        , m_countField(this->file().setting<QByteArray>("count_field", "count"))
        , m_countFields(this->file().setting<QByteArrayList>("count_fields", {}))
        , m_startField(this->file().setting<QByteArray>("start_field", {}))
        , m_endField(this->file().setting<QByteArray>("end_field", {}))
        , m_down(this->file().setting<QByteArray>("counts", "up") == "down")
        , m_rule(this->file().window.rule)
        , m_slackMs(this->file().setting<qint64>("slack", 2000))
        , m_endsExactly(this->file().setting<QByteArray>("ends", "late") == "exactly")
    {
        const KeyRule& main = this->file().keys.front();
        m_texts = main.values;
        if (const QByteArray text = this->file().setting<QByteArray>("count_text", {});
            !text.isEmpty())
            m_texts = {NamePattern::parse(text).value_or(NamePattern())};
        for (const QByteArray& text : this->file().setting<QByteArrayList>("windows", {}))
            m_windows.push_back(parseDuration(QString::fromLatin1(text)).value_or(1));
        if (m_countFields.isEmpty())
            m_countFields = {m_countField};
        for (const QByteArray& name : m_countFields + QByteArrayList{m_startField, m_endField})
            readField(name);
    }

    std::vector<QByteArray> hashFields() const override
    {
        return isHash() ? fields() : FileLayout::hashFields();
    }

    ActionList actions() const override
    {
        if (isHash() || m_down || hasParts() || file().keys.size() > 1 || !m_rule.isEmpty())
            return {&actions::checkLimiter(), &actions::clearLimiter()};
        return {&actions::checkLimiter(), &actions::freeCount(), &actions::clearLimiter()};
    }

    std::vector<QByteArray> countingKeys(const State& state, qint64 nowMs) const override
    {
        std::vector<QByteArray> keys = LimiterFileLayout::countingKeys(state, nowMs);
        ReadContext context;
        context.nowMs = nowMs;
        context.previous = &state;
        const QByteArray present = countingKey(*state.primitive, context);
        if (std::find(keys.begin(), keys.end(), present) == keys.end())
            keys.insert(keys.begin(), present);
        return keys;
    }

protected:
    bool proves(const KeyRule& rule, const NameValues& values, const Probe& probe) const override
    {
        if (rule.role != mainRole())
            return true;
        if (probe.type == KeyType::String || !m_texts.empty()) {
            const auto text = isHash() ? countField(probe) : probe.head;
            const auto count = countIn(text);
            if (!count || *count > largestCount || *count < -largestCount)
                return false;
        }
        if (!m_countFields.contains(m_countField) && !wholeNumber(countField(probe)))
            return false;
        if (m_rule == "bucket")
            return provesBucket(values.value("bucket").toLongLong(), probe);
        if (m_rule == "start") {
            const auto window = windowOf(values, probe.ttlMs, probe.nowMs);
            return window && probe.ttlMs && *probe.ttlMs <= *window + m_slackMs;
        }
        if (m_rule == "fields" && !provesFields(probe))
            return false;
        const auto window = windowInName(file().window, values);
        const bool named = file().window.from == NumberRule::From::Name && window;
        return !named || probe.ttlMs.value_or(0) <= *window + 2000;
    }

    std::vector<Command> reads(const Primitive& primitive,
                               const ReadContext& context) const override
    {
        const QByteArray key = countingKey(primitive, context);
        std::vector<Command> commands{isHash() ? readFields(key) : probecommands::head(key),
                                      probecommands::ttl(key)};
        if (const QByteArray block = primitive.key("block"); !block.isEmpty())
            commands.push_back(probecommands::ttl(block));
        if (const QByteArray limit = limitKey(primitive); !limit.isEmpty())
            commands.push_back(probecommands::head(limit));
        return commands;
    }

    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override;

private:
    bool provesBucket(qint64 bucket, const Probe& probe) const;
    bool provesFields(const Probe& probe) const;
    std::optional<qint64> windowOf(const NameValues& values, std::optional<qint64> ttlMs,
                                   qint64 nowMs) const;
    std::optional<qint64> startMs(const NameValues& values) const;
    std::optional<double> countIn(const QByteArray& text) const;
    NameValues partsOf(const QByteArray& text) const;
    bool isHash() const { return mainType() == KeyType::Hash; }

    std::optional<qint64> bucketWindow(const Primitive& primitive,
                                       const ReadContext& context) const;
    QByteArray countingKey(const Primitive& primitive, const ReadContext& context) const;
    void takeWindow(LimiterState& limiter, const Primitive& primitive, const Reply& main,
                    std::optional<qint64> ttlMs, const ReadContext& context) const;

    QByteArray countField(const Probe& probe) const
    {
        for (const QByteArray& name : m_countFields) {
            if (const QByteArray* value = probe.field(name.constData()))
                return *value;
        }
        return {};
    }
    // The field with the largest count: each has its own limit.
    QByteArray countField(const Reply& reply) const
    {
        QByteArray largest;
        for (const QByteArray& name : m_countFields) {
            const auto value = field(reply, name.constData());
            if (value && (largest.isEmpty() ||
                          decimalNumber(*value).value_or(0) > decimalNumber(largest).value_or(0)))
                largest = *value;
        }
        return largest;
    }
    /// True if the value has more parts than the count, such as an object.
    bool hasParts() const
    {
        return std::any_of(m_texts.begin(), m_texts.end(),
                           [](const NamePattern& p) { return p.text().startsWith("{{"); });
    }

    QByteArray m_countField;
    QByteArrayList m_countFields; ///< one of them exists; its name depends on the limiter
    QByteArray m_startField;
    QByteArray m_endField;
    bool m_down;
    QByteArray m_rule;
    std::vector<qint64> m_windows; ///< the windows whose start may be in a name
    qint64 m_slackMs;
    bool m_endsExactly;               ///< the key ends with its window, to the second
    std::vector<NamePattern> m_texts; ///< contain the count; none: the whole text
};

// The count in a text: the text itself if it is a number, else the part named by a pattern.
std::optional<double> FixedWindowFile::countIn(const QByteArray& text) const
{
    if (const auto number = decimalNumber(text))
        return number;
    for (const NamePattern& pattern : m_texts) {
        if (const auto values = pattern.match(text))
            return decimalNumber(values->value("count"));
    }
    return std::nullopt;
}

// The named parts of a text by the pattern that matches it, as "limit" and "reset".
NameValues FixedWindowFile::partsOf(const QByteArray& text) const
{
    for (const NamePattern& pattern : m_texts) {
        if (auto values = pattern.match(text))
            return *values;
    }
    return {};
}

// The key is set within its window, so that it ends one window later at the latest.
bool FixedWindowFile::provesBucket(qint64 bucket, const Probe& probe) const
{
    const auto window = windowOfBucket(bucket, probe.nowMs);
    if (!window || !probe.ttlMs)
        return false;
    const qint64 late = std::min<qint64>(1500, *window / 4);
    const qint64 endsMs = probe.nowMs + *probe.ttlMs;
    if (m_endsExactly)
        return std::abs(endsMs - (bucket + 1) * *window) <= 1500;
    return endsMs >= (bucket + 1) * *window - late && endsMs <= (bucket + 2) * *window + late;
}

bool FixedWindowFile::provesFields(const Probe& probe) const
{
    const QByteArray* start = probe.field(m_startField.constData());
    const QByteArray* end = probe.field(m_endField.constData());
    const auto from = start ? timeInText(*start) : std::nullopt;
    const auto to = end ? timeInText(*end) : std::nullopt;
    return from && to && *from < *to;
}

std::optional<qint64> FixedWindowFile::startMs(const NameValues& values) const
{
    const auto start = timeInText(values.value("start"));
    return start ? std::optional(wholeMs(*start)) : std::nullopt;
}

std::optional<qint64> FixedWindowFile::windowOf(const NameValues& values,
                                                std::optional<qint64> ttlMs, qint64 nowMs) const
{
    if (const auto named = windowInName(file().window, values);
        named && file().window.from == NumberRule::From::Name)
        return named;
    const auto start = startMs(values);
    return start ? windowOfStart(*start, ttlMs, nowMs, m_windows, m_slackMs) : std::nullopt;
}

// Computed once, since an older name gives a less exact result.
std::optional<qint64> FixedWindowFile::bucketWindow(const Primitive& primitive,
                                                    const ReadContext& context) const
{
    const LimiterState* before = context.previous ? context.previous->as<LimiterState>() : nullptr;
    if (before && before->windowMs)
        return before->windowMs;
    return windowOfBucket(valuesOf(primitive).value("bucket").toLongLong(), context.nowMs);
}

// The name changes with each window.
QByteArray FixedWindowFile::countingKey(const Primitive& primitive,
                                        const ReadContext& context) const
{
    const QByteArray known = primitive.keys.front().key;
    NameValues values = valuesOf(primitive);
    if (m_rule == "bucket") {
        const auto window = bucketWindow(primitive, context);
        if (!window)
            return known;
        values.set("bucket", QByteArray::number(context.nowMs / *window));
    } else if (m_rule == "start") {
        const LimiterState* before =
            context.previous ? context.previous->as<LimiterState>() : nullptr;
        const OptionalInt window =
            before ? before->windowMs : OptionalInt(windowOf(values, {}, context.nowMs));
        const QByteArray start = values.value("start");
        if (!window)
            return known;
        const qint64 presentMs = context.nowMs / *window * *window;
        values.set("start", QByteArray::number(start.size() > 11 ? presentMs : presentMs / 1000));
    } else {
        return known;
    }
    return claims().mainKeyFor(values, known);
}

void FixedWindowFile::takeWindow(LimiterState& limiter, const Primitive& primitive,
                                 const Reply& main, std::optional<qint64> ttlMs,
                                 const ReadContext& context) const
{
    if (limiter.windowMs)
        return;
    if (m_rule == "bucket") {
        limiter.windowMs = bucketWindow(primitive, context);
    } else if (m_rule == "start") {
        const LimiterState* before =
            context.previous ? context.previous->as<LimiterState>() : nullptr;
        limiter.windowMs = before && before->windowMs
                               ? before->windowMs
                               : OptionalInt(windowOf(valuesOf(primitive), ttlMs, context.nowMs));
    } else if (m_rule == "fields") {
        const auto start = number(main, m_startField);
        const auto end = number(main, m_endField);
        const auto unit = end ? timeUnitOf(*end) : std::nullopt;
        if (start && unit && *end > *start)
            limiter.windowMs = wholeMs(toMs(*end, *unit) - toMs(*start, *unit));
    }
    if (limiter.windowMs)
        limiter.windowSource = m_rule == "fields" ? Source::Stored : Source::Inferred;
}

DecodeResult FixedWindowFile::read(const Primitive& primitive, std::span<const Reply> replies,
                                   const ReadContext& context) const
{
    DecodeResult reading;
    State& state = reading.state;
    const Reply& main = replies[0];
    const Ttl ttl = ttlOf(replies[1]);
    size_t next = 2;
    const Ttl block = primitive.key("block").isEmpty() ? Ttl() : ttlOf(replies[next++]);
    state.ttlMs = ttl.ms;
    LimiterState limiter = limiterOf(primitive, valuesOf(primitive), Algorithm::FixedWindow);
    if (!limitKey(primitive).isEmpty())
        takeLimit(limiter, replies[next++]);
    if (isHash())
        takeFields(limiter, main);
    takeWindow(limiter, primitive, main, ttl.ms, context);
    if (!ttl.exists && !block.exists) {
        state.body = limiter;
        finalizeAbsentLimiter(state);
        return reading;
    }
    const auto count = countIn(isHash() ? countField(main) : main.text);
    if (ttl.exists && !count) {
        state.problem =
            Error{ErrorCode::Undecodable, LayoutText::tr("the value is not a whole number")};
        state.body = limiter;
        state.health = Health::Error;
        return reading;
    }
    const qint64 stored = std::max<qint64>(0, qint64(count.value_or(0)));
    std::optional<qint64> endsMs = ttl.ms;
    // The hash outlives its window.
    if (const auto end = number(main, m_endField); isHash() && end) {
        if (const auto unit = timeUnitOf(*end))
            endsMs = std::max<qint64>(0, wholeMs(toMs(*end, *unit)) - context.nowMs);
    }
    const NameValues parts = hasParts() && !isHash() ? partsOf(main.text) : NameValues();
    if (const auto limit = wholeNumber(parts.value("limit")); !limiter.limit && limit > 0) {
        limiter.limit = limit;
        limiter.limitSource = Source::Stored;
    }
    const auto reset = timeInText(parts.value("reset"));
    if (reset)
        endsMs = std::max<qint64>(0, wholeMs(*reset) - context.nowMs);
    const bool over = (isHash() || reset) && endsMs == 0;
    if (over || !m_down)
        limiter.occupancy = over ? 0 : stored;
    else if (limiter.limit)
        limiter.occupancy = std::max<qint64>(0, *limiter.limit - stored);
    else
        limiter.remaining = stored;
    if (block.exists)
        endsMs = block.ms;
    const bool full = limiter.limit && limiter.occupancy && *limiter.occupancy >= *limiter.limit;
    if (block.exists || full)
        limiter.nextFreeMs = endsMs;
    if (block.exists) {
        limiter.remaining = 0;
        limiter.retryAfterMs = endsMs;
        state.facts.push_back({LayoutText::tr("Blocked"), LayoutText::tr("yes"), Source::Stored});
    }
    if (endsMs)
        state.revisitAtMs = context.nowMs + *endsMs + 1;
    state.body = std::move(limiter);
    finalizeLimiter(state, !endsMs && !over);
    return reading;
}

} // namespace

namespace families {

Family fixedWindowFamily()
{
    return {"fixed-window",
            Kind::Limiter,
            {{"counter", {KeyType::String, KeyType::Hash}, true},
             {"timer", {KeyType::String}},
             {"block", {KeyType::String}},
             {"limit", {KeyType::String}}},
            {{"counts", Shape::Word, {"up", "down"}},
             {"count_field"},
             {"count_fields", Shape::Texts},
             {"start_field"},
             {"end_field"},
             {"windows", Shape::Durations},
             {"slack", Shape::Duration},
             {"count_text"},
             {"ends", Shape::Word, {"late", "exactly"}}},
            {"bucket", "start", "fields"},
            [](LayoutFilePtr file) -> std::unique_ptr<const Layout> {
                return std::make_unique<FixedWindowFile>(std::move(file));
            }};
}

} // namespace families

} // namespace lk
