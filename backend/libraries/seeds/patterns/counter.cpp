// SPDX-License-Identifier: GPL-3.0-or-later
// INCR on each event; GETSET counter 0 takes the count and starts again. A number without a TTL may
// be anything, so only a name that says "counter" is detected. With a TTL it is a limiter's window.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/namehints.h"
#include "backend/libraries/detect/wordlists.h"
#include "backend/libraries/families/limiters/limiternames.h"
#include "backend/libraries/seeds/patterns/patternreading.h"

#include "backend/core/names/namewords.h"
#include "backend/core/timeunit.h"

namespace lk {

namespace {

// Bare numbers of another recipe, whatever else their names say.
bool namedOtherwise(const QByteArray& name)
{
    return limiterHint(name) != LimiterHint::None || name.endsWith(":value") ||
           hasWord(name, wordsIn<"not-counters">());
}

bool isCounterName(const QByteArray& name)
{
    // "mycounter", the document's own, has no separator before the word.
    return leadsOrEnds(name, words<"counter", "counters", "count", "counts", "tally">) ||
           name.toLower().endsWith("counter");
}

class Counter final : public PlannedLayout
{
public:
    QByteArray id() const override { return QByteArrayLiteral("counter"); }
    QString title() const override { return LayoutText::tr("Counter"); }
    Kind kind() const override { return Kind::Pattern; }
    bool wants(KeyType type) const override { return type == KeyType::String; }
    QByteArray mainRole() const override { return QByteArrayLiteral("counter"); }
    KeyType mainType() const override { return KeyType::String; }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (probe.type != KeyType::String || probe.ttlMs || !isCounterName(probe.name) ||
            namedOtherwise(probe.name))
            return std::nullopt;
        const auto count = wholeNumber(probe.head);
        if (!count || timeUnitOf(double(*count)))
            return std::nullopt;
        return Claim{{id(), probe.name}, {{mainRole(), probe.name}}, 0.5};
    }

protected:
    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override
    {
        const QByteArray key = primitive.key("counter");
        return commandsOf(probecommands::head(key), probecommands::ttl(key));
    }

    DecodeResult read(const Primitive&, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        const Ttl ttl = ttlOf(replies[1]);
        const auto count = wholeNumber(replies[0].text);
        PatternState pattern;
        if (count || !ttl.exists) // INCR treats a missing counter as 0
            pattern.values = {{QByteArrayLiteral("value"), double(count.value_or(0))}};
        finalizePattern(reading.state, std::move(pattern), ttl, context.nowMs);
        if (ttl.exists && !count) {
            reading.state.problem =
                Error{ErrorCode::Undecodable, LayoutText::tr("the value is not a whole number")};
            reading.state.health = Health::Error;
        }
        return reading;
    }
};

} // namespace

LK_LAYOUT(counter, Counter)

} // namespace lk
