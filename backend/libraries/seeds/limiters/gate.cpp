// SPDX-License-Identifier: GPL-3.0-or-later
// One call per interval: GET, INCR and PEXPIRE in one transaction. The gate is closed while the key
// exists. Each refused call also counts and closes the gate for another whole interval.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/namehints.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/detect/wordlists.h"
#include "backend/libraries/families/limiters/limiteractions.h"
#include "backend/libraries/families/limiters/limiterreading.h"

#include "backend/core/names/namewords.h"
#include "backend/text/columns/columnparts.h"

#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

QString refusedText(const State& state)
{
    return columnparts::countText(columnparts::field<LimiterState, &LimiterState::refused>(state));
}

std::optional<double> refusedNumber(const State& state)
{
    return columnparts::fieldNumber<LimiterState, &LimiterState::refused>(state);
}

constexpr qint64 longestGateMs = 32LL * 24 * 3600 * 1000;

bool isGateName(const QByteArray& name)
{
    return leadsOrEnds(name, words<"gate">) || hasWord(name, words<"cooldown", "debounce">);
}

// Gates of airports and of features, and gates that are named like a flight.
bool gateNamedOtherwise(const QByteArray& name)
{
    const QByteArrayView tail = tailOf(name);
    const auto isUpperOrDigit = [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    };
    const bool code = std::all_of(tail.begin(), tail.end(), isUpperOrDigit) &&
                      std::any_of(tail.begin(), tail.end(), [](char c) { return c >= 'A'; });
    return code || hasWord(name, wordsIn<"not-gates">());
}

class Gate final : public PlannedLayout
{
public:
    QByteArray id() const override { return QByteArrayLiteral("gate"); }
    QString title() const override { return LayoutText::tr("Gate"); }
    Kind kind() const override { return Kind::Limiter; }
    bool wants(KeyType type) const override { return type == KeyType::String; }
    QByteArray mainRole() const override { return QByteArrayLiteral("gate"); }
    KeyType mainType() const override { return KeyType::String; }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        const auto calls = wholeNumber(probe.head);
        if (probe.type != KeyType::String || !calls || *calls < 1 || !probe.ttlMs ||
            *probe.ttlMs > longestGateMs || !isGateName(probe.name))
            return std::nullopt;
        return Claim{{id(), probe.name},
                     {{mainRole(), probe.name}},
                     gateNamedOtherwise(probe.name) ? 0.4 : 0.75,
                     {},
                     Doubt::OtherWords};
    }

    std::span<const Column> columns() const override
    {
        static const std::vector<Column> all =
            columnsWith(Kind::Limiter, {{"refused", ColumnStyle::Count,
                                         QT_TRANSLATE_NOOP("lk::Column", "Rejected calls"),
                                         refusedText, refusedNumber}});
        return all;
    }
    std::span<const Metric> metrics() const override
    {
        static const std::vector<Metric> all =
            metricsWith(Kind::Limiter,
                        {{"refused", Metric::Unit::Count,
                          QT_TRANSLATE_NOOP("lk::Column", "Rejected calls"), refusedNumber, true}});
        return all;
    }

    ActionList actions() const override
    {
        return {&actions::checkLimiter(), &actions::openGate(), &actions::repairCounter(),
                &actions::clearLimiter()};
    }

protected:
    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override
    {
        const QByteArray key = primitive.key("gate");
        return commandsOf(probecommands::head(key), probecommands::ttl(key));
    }

    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        State& state = reading.state;
        const Ttl ttl = ttlOf(replies[1]);
        LimiterState limiter = declaredLimiter(primitive, Algorithm::Gate);
        limiter.limit = 1; // a gate always allows one call
        limiter.limitSource = primitive.declaration ? Source::Declared : Source::Inferred;
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
        const auto calls = wholeNumber(replies[0].text);
        if (calls)
            limiter.refused = std::max<qint64>(0, *calls - 1);
        if (limiter.refused.value_or(0) > 0)
            state.facts.push_back({LayoutText::tr("Rejected calls"),
                                   QLocale().toString(*limiter.refused), Source::Stored});
        state.body = std::move(limiter);
        finalizeLimiter(state, !ttl.ms);
        return reading;
    }
};

} // namespace

LK_LAYOUT(gate, Gate)

} // namespace lk
