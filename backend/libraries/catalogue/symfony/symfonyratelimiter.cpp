// SPDX-License-Identifier: GPL-3.0-or-later
// Symfony RateLimiter 5.4 to 7 in the cache. <namespace>:<sha1 of the limiter's id> contains the
// policy as an object that PHP or igbinary serialized.
#include "backend/libraries/catalogue/symfony/serializedphp.h"
#include "backend/libraries/families/limiters/limiterreading.h"
#include "backend/libraries/families/limiters/valuelimiter.h"

#include <QLocale>
#include <QRegularExpression>
#include <QtEndian>

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

const QByteArray policies = QByteArrayLiteral("Symfony\\Component\\RateLimiter\\Policy\\");
constexpr int symfonyRateLimiterLongestValue = 1024; // bytes

// Called for every string. QByteArray's own search has a setup cost for long texts.
bool mentionsPolicies(const QByteArray& text)
{
    const std::string_view policy(policies.constData(), size_t(policies.size()));
    return std::string_view(text.constData(), size_t(text.size())).find(policy) !=
           std::string_view::npos;
}

// The data of the three policies. Times and durations are in milliseconds.
struct Policy
{
    Algorithm algorithm = Algorithm::FixedWindow;
    QByteArray id;
    qint64 hits = 0;
    qint64 hitsBefore = 0; ///< the hits in the previous window
    double tokens = 0;
    qint64 most = 0; ///< 0 if it is not stored
    double windowMs = 0;
    double timeMs = 0; ///< the window's start or end, or the time at which the tokens were counted
    double perTokens = 0; ///< the tokens that are added every windowMs
};

quint32 word(const QByteArray& packed, int index)
{
    const qsizetype at = qsizetype(index) * 4;
    return packed.size() >= at + 4 ? qFromBigEndian<quint32>(packed.constData() + at) : 0;
}

// "P0Y0M0DT00H1M0S-5": five in a minute.
bool readRate(const QByteArray& text, Policy& policy)
{
    static const QRegularExpression rate(
        QStringLiteral("^P(\\d+)Y(\\d+)M(\\d+)DT(\\d+)H(\\d+)M(\\d+)S-(\\d+)$"));
    const auto match = rate.match(QString::fromLatin1(text));
    if (!match.hasMatch())
        return false;
    const auto part = [&](int index) { return match.captured(index).toDouble(); };
    const double days = part(1) * 365 + part(2) * 30 + part(3);
    policy.windowMs = (((days * 24 + part(4)) * 60 + part(5)) * 60 + part(6)) * 1000;
    policy.perTokens = part(7);
    return policy.windowMs > 0 && policy.perTokens > 0;
}

// Returns the limiter's id. Some policies store numbers before it in the same text.
QByteArray idOf(const QByteArray& name, const QByteArray& key)
{
    return key.mid(name.endsWith("SlidingWindow") ? 12 : name.endsWith("TokenBucket") ? 4 : 0);
}

std::optional<Policy> policyOf(const QByteArray& value)
{
    const auto object = phpObject(value);
    if (!object || !object->name.startsWith(policies))
        return std::nullopt;
    const QByteArray name = object->name.mid(policies.size());
    const auto& p = object->properties;
    Policy policy;
    if (name == "Window" && p.size() == 2) {
        policy.id = p[0].key;
        policy.timeMs = p[0].number * 1000;
        policy.hits = word(p[1].key, 0);
        policy.windowMs = double(word(p[1].key, 1)) * 1000;
        policy.most = qint64(p[1].number);
    } else if (name == "SlidingWindow" && p.size() == 1) {
        policy.algorithm = Algorithm::SlidingCounter;
        policy.id = p[0].key.mid(12);
        policy.hits = word(p[0].key, 0);
        policy.hitsBefore = word(p[0].key, 1);
        policy.windowMs = double(word(p[0].key, 2)) * 1000;
        policy.timeMs = p[0].number * 1000;
    } else if (name == "TokenBucket" && p.size() == 2) {
        policy.algorithm = Algorithm::TokenBucket;
        policy.id = p[0].key.mid(4);
        policy.most = word(p[0].key, 0);
        policy.tokens = p[0].number;
        policy.timeMs = p[1].number * 1000;
        if (!readRate(p[1].key, policy))
            return std::nullopt;
    }
    return policy.windowMs > 0 ? std::optional(policy) : std::nullopt;
}

class SymfonyRateLimiter final : public ValueLimiter
{
public:
    SymfonyRateLimiter()
        : ValueLimiter(QByteArrayLiteral("policy"), symfonyRateLimiterLongestValue)
    {}

    QByteArray id() const override { return QByteArrayLiteral("symfony-rate-limiter"); }
    QString title() const override { return QStringLiteral("Symfony rate limiter"); }
    LayoutOrigin origin() const override
    {
        return {{},
                QStringLiteral("symfony/rate-limiter"),
                QStringLiteral("5.4 to 7"),
                QStringLiteral("https://symfony.com/doc/current/rate_limiter.html"),
                {}};
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (probe.type != KeyType::String || !mentionsPolicies(probe.head))
            return std::nullopt;
        Claim claim = claimOf(probe.name);
        if (!probe.headTruncated()) {
            const auto policy = policyOf(probe.head);
            if (!policy)
                return std::nullopt;
            claim.label = policy->id; // its key's name is a digest
        } else if (const auto start = phpObjectStart(probe.head)) {
            claim.label = idOf(start->name, start->properties.front().key);
        }
        return claim;
    }

protected:
    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        State& state = reading.state;
        const Ttl ttl = ttlOf(replies[1]);
        const auto policy = policyOf(replies[0].text);
        LimiterState limiter =
            declaredLimiter(primitive, policy ? policy->algorithm : Algorithm::FixedWindow);
        state.ttlMs = ttl.ms;
        if (ttl.exists && !policy)
            state.problem =
                Error{ErrorCode::Undecodable, LayoutText::tr("the value is not a limiter")};
        if (!ttl.exists || !policy) {
            state.body = limiter;
            finalizeAbsentLimiter(state);
            state.present = ttl.exists;
            return reading;
        }
        if (policy->most > 0) {
            limiter.limit = policy->most;
            limiter.limitSource = Source::Stored;
        }
        limiter.windowMs = wholeMs(policy->windowMs);
        limiter.windowSource = Source::Stored;
        state.revisitAtMs = context.nowMs + std::max<qint64>(1000, *limiter.windowMs / 20);
        count(limiter, *policy, context.nowMs);
        state.body = std::move(limiter);
        finalizeLimiter(state);
        return reading;
    }

private:
    static void count(LimiterState& limiter, const Policy& policy, qint64 nowMs)
    {
        const double now = double(nowMs);
        if (policy.algorithm == Algorithm::FixedWindow) {
            const double endsMs = policy.timeMs + policy.windowMs;
            limiter.occupancy = now > endsMs ? 0 : policy.hits;
            if (limiter.limit && *limiter.occupancy >= *limiter.limit)
                limiter.nextFreeMs = std::max<qint64>(0, wholeMs(std::ceil(endsMs - now)));
        } else if (policy.algorithm == Algorithm::SlidingCounter) {
            // If the stored window has ended, its hits are those of the previous window.
            const bool ended = now > policy.timeMs;
            const double endsMs = policy.timeMs + (ended ? policy.windowMs : 0);
            const qint64 before = ended ? policy.hits : policy.hitsBefore;
            const double left = std::clamp((endsMs - now) / policy.windowMs, 0.0, 1.0);
            limiter.occupancy =
                qint64(std::floor(double(before) * left)) + (ended ? 0 : policy.hits);
        } else {
            const double periods = std::floor(std::max(0.0, now - policy.timeMs) / policy.windowMs);
            const double tokens =
                std::min(double(policy.most), policy.tokens + periods * policy.perTokens);
            limiter.occupancy = std::max<qint64>(0, policy.most - qint64(tokens));
            limiter.windowMs =
                wholeMs(policy.windowMs * double(policy.most) / policy.perTokens); // until full
            if (tokens < 1)
                limiter.nextFreeMs = wholeMs(
                    std::ceil(policy.windowMs - std::fmod(now - policy.timeMs, policy.windowMs)));
        }
    }
};

} // namespace

LK_LAYOUT(symfonyRateLimiter, SymfonyRateLimiter)

} // namespace lk
