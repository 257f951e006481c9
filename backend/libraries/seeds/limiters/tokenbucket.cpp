// SPDX-License-Identifier: GPL-3.0-or-later
// A hash with the tokens left in a bucket and the time of that count, as services write it
// themselves. The tokens added since then depend on the rate. No field contains the rate's unit, so
// they are not computed.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/detect/wordlists.h"
#include "backend/libraries/families/limiters/limiteractions.h"
#include "backend/libraries/families/limiters/limiternames.h"
#include "backend/libraries/families/limiters/limiterreading.h"

#include "backend/core/names/namewords.h"
#include "backend/text/time/duration.h"

#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace lk {

namespace {

using namespace std::string_view_literals;

constexpr double tokenBucketSkewMs = 5000;
constexpr double oldestMs = 400.0 * 24 * 3600 * 1000;

// All fields that are read, in this order and grouped by meaning.
constexpr std::array fieldNames{
    // tokens
    "tokens"sv, "available_tokens"sv, "availableTokens"sv, "tokens_left"sv,
    // the time of the last refill
    "last_refill"sv, "lastRefill"sv, "last_refill_time"sv, "lastRefillTime"sv, "refilled_at"sv,
    "last_refilled"sv, "last"sv, "last_update"sv, "last_time"sv,
    // when they were counted
    "timestamp"sv, "ts"sv, "updated_at"sv, "updatedAt"sv, "last_updated"sv,
    // the capacity
    "capacity"sv, "max_tokens"sv, "maxTokens"sv, "burst"sv,
    // the rate
    "refill_rate"sv, "refillRate"sv, "fill_rate"sv, "rate"sv};

using Names = std::span<const std::string_view>;

constexpr Names tokenFields = Names(fieldNames).subspan(0, 4);
constexpr Names refillFields = Names(fieldNames).subspan(4, 9);
constexpr Names timeFields = Names(fieldNames).subspan(13, 5);
constexpr Names capacityFields = Names(fieldNames).subspan(18, 4);
constexpr Names rateFields = Names(fieldNames).subspan(22, 4);
static_assert(refillFields.front() == "last_refill" && timeFields.front() == "timestamp" &&
              capacityFields.front() == "capacity" && rateFields.front() == "refill_rate");

const std::vector<QByteArray>& bucketFields()
{
    static const std::vector<QByteArray> fields = [] {
        std::vector<QByteArray> all;
        std::transform(fieldNames.begin(), fieldNames.end(), std::back_inserter(all),
                       [](std::string_view name) { return QByteArrayView(name).toByteArray(); });
        return all;
    }();
    return fields;
}

// The values of the fields that the hash has, in the order of fieldNames.
using Values = std::array<const QByteArray*, fieldNames.size()>;

Values valuesIn(const Probe& probe)
{
    Values values{};
    for (const auto& [name, value] : probe.fields) {
        const std::string_view field(name.constData(), size_t(name.size()));
        const auto* const at =
            std::find_if(fieldNames.begin(), fieldNames.end(), [field](std::string_view one) {
                return one.size() == field.size() && one == field;
            });
        if (at != fieldNames.end())
            values[size_t(at - fieldNames.begin())] = &value;
    }
    return values;
}

// Returns the first of these fields that the hash has, as a number, and counts it.
std::optional<double> numberIn(const Values& values, Names names, int& known)
{
    std::optional<double> number;
    const auto from = size_t(names.data() - fieldNames.data());
    for (size_t i = from; i < from + names.size(); ++i) {
        if (!values[i])
            continue;
        ++known;
        if (!number)
            number = decimalNumber(*values[i]);
    }
    return number;
}

// Returns the first of these fields as a number from the reply to bucketFields().
std::optional<double> numberIn(const Reply& fields, Names names)
{
    const auto from = size_t(names.data() - fieldNames.data());
    for (size_t i = from; i < std::min(from + names.size(), fields.items.size()); ++i) {
        if (fields.items[i].isText())
            return decimalNumber(fields.items[i].text);
    }
    return std::nullopt;
}

std::optional<double> numberIn(const Values& values, Names names)
{
    const auto from = size_t(names.data() - fieldNames.data());
    for (size_t i = from; i < from + names.size(); ++i) {
        if (values[i])
            return decimalNumber(*values[i]);
    }
    return std::nullopt;
}

std::optional<double> msOf(std::optional<double> time)
{
    const auto unit = time ? timeUnitOf(*time) : std::nullopt;
    return unit ? std::optional(toMs(*time, *unit)) : std::nullopt;
}

// The content of the hash, whatever the names of its fields.
struct Stored
{
    std::optional<double> tokens;
    std::optional<double> timeMs; ///< the time at which the tokens were counted
    std::optional<double> capacity;
};

template<typename Fields> Stored storedIn(const Fields& fields)
{
    const auto refill = msOf(numberIn(fields, refillFields));
    return {numberIn(fields, tokenFields), refill ? refill : msOf(numberIn(fields, timeFields)),
            numberIn(fields, capacityFields)};
}

// Tokens in the sense of words in a text, coins or the used part of a quota.
bool tokenBucketNamedOtherwise(const QByteArray& name)
{
    return hasWord(name, wordsIn<"not-token-buckets">());
}

std::vector<Fact> factsOf(double tokens, std::optional<double> timeMs, qint64 nowMs)
{
    std::vector<Fact> facts{{LayoutText::tr("Tokens left when last counted"),
                             QLocale().toString(tokens, 'g', 6), Source::Stored}};
    if (timeMs)
        facts.push_back({LayoutText::tr("Last counted"),
                         LayoutText::tr("%1 ago").arg(
                             formatDuration(std::max<qint64>(0, nowMs - wholeMs(*timeMs)))),
                         Source::Stored});
    return facts;
}

class TokenBucket final : public PlannedLayout
{
public:
    QByteArray id() const override { return QByteArrayLiteral("token-bucket"); }
    QString title() const override { return LayoutText::tr("Token bucket"); }
    Kind kind() const override { return Kind::Limiter; }
    bool wants(KeyType type) const override { return type == KeyType::Hash; }
    QByteArray mainRole() const override { return QByteArrayLiteral("bucket"); }
    KeyType mainType() const override { return KeyType::Hash; }
    std::vector<QByteArray> hashFields() const override { return bucketFields(); }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (probe.type != KeyType::Hash)
            return std::nullopt;
        const Values values = valuesIn(probe);
        int known = 0;
        const auto tokens = numberIn(values, tokenFields, known);
        const auto refill = msOf(numberIn(values, refillFields, known));
        const auto time = refill ? refill : msOf(numberIn(values, timeFields, known));
        const int before = known;
        numberIn(values, capacityFields, known);
        numberIn(values, rateFields, known);
        if (!tokens || *tokens < 0 || !time || *time > double(probe.nowMs) + tokenBucketSkewMs ||
            *time < double(probe.nowMs) - oldestMs)
            return std::nullopt;
        const bool named =
            limiterHint(probe.name) != LimiterHint::None || hasWord(probe.name, words<"bucket">);
        const bool whole = probe.length == known; // the hash has no other fields
        // A count of words is a whole number. The count of a bucket that fills by the second rarely
        // is.
        const bool told = known > before || refill || *tokens != std::floor(*tokens);
        Claim claim{{id(), probe.name}, {{mainRole(), probe.name}}, 0.4, {}, Doubt::ValueOnly};
        if (tokenBucketNamedOtherwise(probe.name) || measuresOtherwise(probe.name)) {
            claim.confidence = 0.3;
            claim.doubt = Doubt::OtherWords;
        } else if (whole && (named || told)) {
            claim.confidence = named && told ? 0.8 : 0.7;
        } else if (named) {
            claim.confidence = 0.6;
        } else if (whole) {
            claim.further = {FurtherProof::Way::Siblings, 3};
        }
        return claim;
    }

    ActionList actions() const override { return {&actions::clearLimiter()}; }

    // A probe contains the values of all fields that any layout requests.
    std::optional<DecodeResult> decodeProbe(const Primitive& primitive, const Probe& probe,
                                            const ReadContext& context) const override
    {
        return stateOf(primitive, storedIn(valuesIn(probe)), {true, probe.ttlMs}, context);
    }

protected:
    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override
    {
        const QByteArray key = primitive.key("bucket");
        return commandsOf(probecommands::hashFields(key, bucketFields()), probecommands::ttl(key));
    }

    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        return stateOf(primitive, storedIn(replies[0]), ttlOf(replies[1]), context);
    }

private:
    static DecodeResult stateOf(const Primitive& primitive, const Stored& stored, const Ttl& ttl,
                                const ReadContext& context)
    {
        DecodeResult reading;
        State& state = reading.state;
        LimiterState limiter = declaredLimiter(primitive, Algorithm::TokenBucket);
        state.ttlMs = ttl.ms;
        if (!ttl.exists) { // the bucket is full: nothing was taken recently
            state.body = limiter;
            finalizeAbsentLimiter(state);
            return reading;
        }
        const auto& [tokens, timeMs, capacity] = stored;
        if (!tokens || !std::isfinite(*tokens)) {
            state.problem =
                Error{ErrorCode::Undecodable, LayoutText::tr("the tokens are not a number")};
            state.body = limiter;
            state.health = Health::Error;
            return reading;
        }
        if (!limiter.limit && capacity && *capacity >= 1 && *capacity < 1e15) {
            limiter.limit = qint64(*capacity);
            limiter.limitSource = Source::Stored;
        }
        const qint64 left = qint64(std::clamp(std::floor(*tokens), 0.0, 1e15));
        if (limiter.limit) {
            limiter.occupancy = std::max<qint64>(0, *limiter.limit - left);
            limiter.occupancyIsUpperBound = true; // tokens were added since then
        } else {
            limiter.remaining = left;
        }
        if (context.depth == Depth::Detail)
            state.facts = factsOf(*tokens, timeMs, context.nowMs);
        if (ttl.ms)
            state.revisitAtMs = context.nowMs + *ttl.ms + 1;
        state.body = std::move(limiter);
        finalizeLimiter(state);
        return reading;
    }
};

} // namespace

LK_LAYOUT(tokenBucket, TokenBucket)

} // namespace lk
