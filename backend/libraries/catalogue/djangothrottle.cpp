// SPDX-License-Identifier: GPL-3.0-or-later
// Django REST framework 3. Django's cache contains the times of the accepted requests as a pickled
// list, newest first. Each accepted request sets the TTL to the window.
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/families/limiters/limiterreading.h"
#include "backend/libraries/families/limiters/valuelimiter.h"

#include <QtEndian>

#include <algorithm>
#include <bit>

namespace lk {

namespace {

constexpr int djangoThrottleLongestValue = 16 * 1024; // bytes: some 1800 requests

// Returns the floats of a pickled list as far as the bytes go. Returns nothing if it is not one.
std::optional<std::vector<double>> timesIn(const QByteArray& pickle)
{
    qsizetype at = 2;
    if (pickle.size() < 4 || pickle[0] != '\x80' || pickle[1] < 2 || pickle[1] > 5)
        return std::nullopt;
    if (pickle[at] == '\x95') // a frame and its length
        at += 9;
    if (at >= pickle.size() || pickle[at++] != ']') // an empty list, to be filled
        return std::nullopt;
    std::vector<double> times;
    while (at < pickle.size()) {
        const char code = pickle[at++];
        if (code == 'G') { // a big-endian double
            if (at + 8 > pickle.size())
                break;
            const quint64 bits = qFromBigEndian<quint64>(pickle.constData() + at);
            times.push_back(std::bit_cast<double>(bits));
            at += 8;
        } else if (code == 'q') { // where to remember the list; one byte
            at += 1;
        } else if (code == '.') {
            break;
        } else if (code != '\x94' && code != '(' && code != 'e' && code != 'a') {
            return std::nullopt;
        }
    }
    const bool all = std::all_of(times.begin(), times.end(),
                                 [](double t) { return timeUnitOf(t) == TimeUnit::Seconds; });
    return all ? std::optional(times) : std::nullopt;
}

Marks marksIn(const QByteArray& pickle, const Ttl& ttl)
{
    Marks marks;
    const auto times = timesIn(pickle).value_or(std::vector<double>());
    for (const double t : times)
        marks.oldest.push_back(toMs(t, TimeUnit::Seconds));
    std::sort(marks.oldest.begin(), marks.oldest.end());
    marks.newest = marks.oldest;
    marks.stored = qint64(marks.oldest.size());
    marks.exists = ttl.exists;
    marks.ttlMs = ttl.ms;
    return marks;
}

class DjangoThrottle final : public ValueLimiter, public KeyHints
{
public:
    DjangoThrottle()
        : ValueLimiter(QByteArrayLiteral("window"), djangoThrottleLongestValue)
    {}

    QByteArray id() const override { return QByteArrayLiteral("drf-throttle"); }
    QString title() const override { return QStringLiteral("Django REST framework throttle"); }
    LayoutOrigin origin() const override
    {
        return {{},
                QStringLiteral("Django REST framework"),
                QStringLiteral("3"),
                QStringLiteral("https://www.django-rest-framework.org/api-guide/throttling/"),
                {}};
    }

    std::vector<QByteArray> nameParts(KeyType) const override { return {"throttle_"}; }
    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (probe.type != KeyType::String || !probe.ttlMs || !probe.name.contains("throttle_"))
            return std::nullopt;
        const auto times = timesIn(probe.head);
        if (!times || times->empty())
            return std::nullopt;
        return claimOf(probe.name);
    }

protected:
    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        State& state = reading.state;
        LimiterState limiter = declaredLimiter(primitive, Algorithm::SlidingLog);
        const Ttl ttl = ttlOf(replies[1]);
        const Marks marks = marksIn(replies[0].text, ttl);
        state.ttlMs = ttl.ms;
        if (!limiter.windowMs &&
            (limiter.windowMs = windowFromTtl(marks, context.nowMs, context.previous)))
            limiter.windowSource = Source::Inferred;
        if (marks.exists)
            countMarks(limiter, state.revisitAtMs, marks, cutoffOf(limiter.windowMs, context.nowMs),
                       context.nowMs);
        state.body = std::move(limiter);
        marks.exists ? finalizeLimiter(state) : finalizeAbsentLimiter(state);
        return reading;
    }
};

} // namespace

LK_LAYOUT(djangoThrottle, DjangoThrottle)

} // namespace lk
