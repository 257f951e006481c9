// SPDX-License-Identifier: GPL-3.0-or-later
// bucket4j 8. One binary value contains the configuration and the state of a bucket, as
// RemoteBucketState writes them: big-endian, each part with the version of its format. The key may
// have any name.
#include "backend/libraries/families/limiters/limiterreading.h"
#include "backend/libraries/families/limiters/valuelimiter.h"

#include <QLocale>
#include <QtEndian>

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

constexpr int bucket4jLongestValue = 4096; // bytes; some ten bandwidths take one

class Cursor
{
public:
    explicit Cursor(QByteArrayView bytes)
        : m_bytes(bytes)
    {}
    template<typename Number> Number take()
    {
        if (m_failed || m_bytes.size() < qsizetype(sizeof(Number))) {
            m_failed = true;
            return 0;
        }
        const Number value = qFromBigEndian<Number>(m_bytes.data());
        m_bytes = m_bytes.sliced(sizeof(Number));
        return value;
    }
    void skip(qsizetype count)
    {
        m_failed = m_failed || count > m_bytes.size();
        m_bytes = m_failed ? QByteArrayView() : m_bytes.sliced(count);
    }
    bool failed() const { return m_failed; }
    bool atEnd() const { return !m_failed && m_bytes.isEmpty(); }

private:
    QByteArrayView m_bytes;
    bool m_failed = false;
};

struct Bandwidth
{
    qint64 capacity = 0;
    qint64 refillPeriodNs = 0;
    qint64 refillTokens = 0;
    bool intervally = false; ///< adds all tokens at the end of each period, not gradually
    qint64 lastRefillNs = 0; ///< since 1970
    qint64 tokens = 0;       ///< the tokens left at that time
};

// Reads the bandwidths from the configuration. The state follows it.
bool readConfiguration(Cursor& cursor, std::vector<Bandwidth>& bandwidths)
{
    const qint32 format = cursor.take<qint32>();
    const bool known = (format == 1 || format == 2) && cursor.take<qint32>() == 1;
    const qint32 count = known ? cursor.take<qint32>() : 0;
    if (count < 1 || count > 16)
        return false;
    for (qint32 i = 0; i < count; ++i) {
        Bandwidth b;
        if (cursor.take<qint32>() != 1)
            return false;
        b.capacity = cursor.take<qint64>();
        cursor.take<qint64>(); // tokens at first
        b.refillPeriodNs = cursor.take<qint64>();
        b.refillTokens = cursor.take<qint64>();
        b.intervally = cursor.take<quint8>() != 0;
        cursor.take<qint64>(); // time of the first refill
        cursor.take<quint8>(); // adaptive
        if (cursor.take<quint8>() != 0)
            cursor.skip(cursor.take<quint16>()); // its id
        if (cursor.failed())
            return bandwidths.size() > 0; // the value is cut and was valid so far
        if (b.capacity <= 0 || b.refillPeriodNs <= 0 || b.refillTokens <= 0)
            return false;
        bandwidths.push_back(b);
    }
    return true;
}

// Returns an empty list if the value is not a bucket's or is incomplete.
std::vector<Bandwidth> bucketOf(const QByteArray& value)
{
    std::vector<Bandwidth> bandwidths;
    Cursor cursor(value);
    const qint32 format = Cursor(value).take<qint32>();
    if (!readConfiguration(cursor, bandwidths))
        return {};
    const qint32 type = cursor.take<qint32>(); // whole 64-bit numbers
    const qint32 version = cursor.take<qint32>();
    if (type != 3 || version != 1 || cursor.take<qint32>() != qint32(3 * bandwidths.size()))
        return {};
    for (Bandwidth& b : bandwidths) {
        b.lastRefillNs = cursor.take<qint64>();
        b.tokens = cursor.take<qint64>();
        cursor.take<qint64>(); // rounding error
    }
    cursor.take<qint32>();
    cursor.take<qint64>(); // consumed in all
    if (format == 2 && cursor.take<quint8>() != 0)
        cursor.take<qint64>(); // version of the configuration
    return cursor.atEnd() ? bandwidths : std::vector<Bandwidth>();
}

double tokensAt(const Bandwidth& b, qint64 nowMs)
{
    const double passed = std::max(0.0, double(nowMs) * 1e6 - double(b.lastRefillNs));
    const double periods = passed / double(b.refillPeriodNs);
    const double refilled = (b.intervally ? std::floor(periods) : periods) * double(b.refillTokens);
    return std::min(double(b.capacity), double(b.tokens) + refilled);
}

class Bucket4j final : public ValueLimiter
{
public:
    Bucket4j()
        : ValueLimiter(QByteArrayLiteral("bucket"), bucket4jLongestValue)
    {}

    QByteArray id() const override { return QByteArrayLiteral("bucket4j"); }
    QString title() const override { return QStringLiteral("bucket4j"); }
    LayoutOrigin origin() const override
    {
        return {{},
                QStringLiteral("bucket4j"),
                QStringLiteral("8"),
                QStringLiteral("https://bucket4j.com/"),
                {}};
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (probe.type != KeyType::String || probe.head.size() < 107)
            return std::nullopt;
        bool proven = !bucketOf(probe.head).empty();
        if (!proven && probe.headTruncated()) { // of several bandwidths only the first is visible
            std::vector<Bandwidth> bandwidths;
            Cursor cursor(probe.head);
            proven = readConfiguration(cursor, bandwidths);
        }
        if (!proven)
            return std::nullopt;
        return claimOf(probe.name);
    }

protected:
    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        State& state = reading.state;
        LimiterState limiter = declaredLimiter(primitive, Algorithm::TokenBucket);
        const Ttl ttl = ttlOf(replies[1]);
        state.ttlMs = ttl.ms;
        const std::vector<Bandwidth> bandwidths = bucketOf(replies[0].text);
        if (ttl.exists && bandwidths.empty())
            state.problem =
                Error{ErrorCode::Undecodable, LayoutText::tr("the value is not a bucket")};
        if (!ttl.exists || bandwidths.empty()) {
            state.body = limiter;
            finalizeAbsentLimiter(state);
            state.present = ttl.exists;
            return reading;
        }
        // A request passes only if every bandwidth allows it. The one with the fewest tokens
        // decides.
        const Bandwidth& least = *std::min_element(
            bandwidths.begin(), bandwidths.end(), [&](const Bandwidth& a, const Bandwidth& b) {
                return tokensAt(a, context.nowMs) < tokensAt(b, context.nowMs);
            });
        fill(limiter, state, least, context.nowMs);
        if (bandwidths.size() > 1)
            state.facts.push_back({LayoutText::tr("Bandwidths"),
                                   QLocale().toString(qint64(bandwidths.size())), Source::Stored});
        state.body = std::move(limiter);
        finalizeLimiter(state);
        return reading;
    }

private:
    static void fill(LimiterState& limiter, State& state, const Bandwidth& b, qint64 nowMs)
    {
        const double tokens = tokensAt(b, nowMs);
        const double perTokenMs = double(b.refillPeriodNs) / 1e6 / double(b.refillTokens);
        limiter.limit = b.capacity;
        limiter.limitSource = Source::Stored;
        limiter.windowMs = wholeMs(perTokenMs * double(b.capacity));
        limiter.windowSource = Source::Stored;
        limiter.occupancy =
            std::max<qint64>(0, b.capacity - qint64(std::floor(std::max(0.0, tokens))));
        if (tokens < 1) {
            const double sinceMs = double(nowMs) - double(b.lastRefillNs) / 1e6;
            const double periodMs = double(b.refillPeriodNs) / 1e6;
            limiter.nextFreeMs = b.intervally
                                     ? wholeMs(std::ceil(periodMs - std::fmod(sinceMs, periodMs)))
                                     : wholeMs(std::ceil((1 - tokens) * perTokenMs));
        }
        if (tokens < double(b.capacity))
            state.revisitAtMs = nowMs + std::max<qint64>(200, wholeMs(perTokenMs));
    }
};

} // namespace

LK_LAYOUT(bucket4j, Bucket4j)

} // namespace lk
