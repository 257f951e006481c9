// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/limiters/limiterfile.h"

#include "backend/libraries/detect/replyvalues.h"

#include <QDateTime>

#include <algorithm>
#include <array>
#include <cmath>

namespace lk {

namespace {

constexpr qint64 second = 1000; // ms
constexpr qint64 minute = 60 * second;
constexpr qint64 hour = 60 * minute;
constexpr qint64 day = 24 * hour;
constexpr qint64 longestBucket = 400 * day;

std::optional<double> unitOfWord(QByteArray word)
{
    static constexpr std::array<std::pair<const char*, qint64>, 7> units{
        {{"second", second},
         {"minute", minute},
         {"hour", hour},
         {"day", day},
         {"week", 7 * day},
         {"month", 30 * day}, // as in the libraries that store these words
         {"year", 360 * day}}};
    word = word.toLower();
    if (word.endsWith('s') && word.size() > 1)
        word.chop(1);
    for (const auto& [name, ms] : units) {
        if (word == name || (word.size() == 1 && word[0] == name[0] && ms <= day))
            return double(ms);
    }
    return std::nullopt;
}

} // namespace

LimiterFileLayout::LimiterFileLayout(LayoutFilePtr file)
    : FileLayout(std::move(file))
    , m_fields(hashFields())
{}

void LimiterFileLayout::readField(const QByteArray& name)
{
    if (!name.isEmpty() && std::find(m_fields.begin(), m_fields.end(), name) == m_fields.end())
        m_fields.push_back(name);
}

std::vector<QByteArray> LimiterFileLayout::countingKeys(const State& state, qint64) const
{
    std::vector<QByteArray> keys;
    for (const KeyRole& key : state.primitive->keys) {
        if (key.role != "limit" && key.role != "stats" && !key.key.isEmpty())
            keys.push_back(key.key);
    }
    return keys;
}

LimiterState LimiterFileLayout::limiterOf(const Primitive& primitive, const NameValues& values,
                                          Algorithm algorithm) const
{
    using From = NumberRule::From;
    LimiterState limiter = declaredLimiter(primitive, algorithm);
    // A fixed value in an operator's file is declared; in a built-in file it is inferred.
    const Source fixed = file().source.isEmpty() ? Source::Inferred : Source::Declared;
    const NumberRule& limit = file().limit;
    if (!limiter.limit && limit.from == From::Fixed) {
        limiter.limit = limit.fixed;
        limiter.limitSource = fixed;
    } else if (!limiter.limit && limit.from == From::Name) {
        if (const auto name = limit.name.fill(values))
            limiter.limit = wholeNumber(*name);
        limiter.limitSource = limiter.limit ? Source::Stored : Source::Unknown;
    }
    const NumberRule& window = file().window;
    if (!limiter.windowMs && window.from == From::Fixed) {
        limiter.windowMs = window.fixed;
        limiter.windowSource = fixed;
    } else if (!limiter.windowMs && window.from == From::Name) {
        limiter.windowMs = windowInName(window, values);
        limiter.windowSource = limiter.windowMs ? Source::Stored : Source::Unknown;
    }
    return limiter;
}

Command LimiterFileLayout::readFields(const QByteArray& key) const
{
    return probecommands::hashFields(key, m_fields);
}

std::optional<QByteArray> LimiterFileLayout::field(const Reply& reply, const char* name) const
{
    return fieldOf(reply, m_fields, name);
}

std::optional<double> LimiterFileLayout::number(const Reply& reply, const QByteArray& name) const
{
    const auto text = field(reply, name.constData());
    return text ? decimalNumber(*text) : std::nullopt;
}

void LimiterFileLayout::takeFields(LimiterState& limiter, const Reply& reply) const
{
    using From = NumberRule::From;
    if (!limiter.limit && file().limit.from == From::Field) {
        if (const auto limit = number(reply, file().limit.word); limit && *limit > 0) {
            limiter.limit = qint64(*limit);
            limiter.limitSource = Source::Stored;
        }
    }
    if (!limiter.windowMs && file().window.from == From::Field) {
        if (const auto window = number(reply, file().window.word); window && *window > 0) {
            limiter.windowMs = wholeMs(*window * file().window.unitMs);
            limiter.windowSource = Source::Stored;
        }
    }
}

QByteArray LimiterFileLayout::limitKey(const Primitive& primitive) const
{
    const NumberRule& limit = file().limit;
    return limit.from == NumberRule::From::Key ? primitive.key(limit.word.constData())
                                               : QByteArray();
}

void LimiterFileLayout::takeLimit(LimiterState& limiter, const Reply& reply) const
{
    const auto limit = integerOf(reply);
    if (limiter.limit || !limit || *limit <= 0)
        return;
    limiter.limit = limit;
    limiter.limitSource = Source::Stored;
}

std::optional<qint64> windowInName(const NumberRule& rule, const NameValues& values)
{
    double count = 1;
    if (!rule.name.text().isEmpty()) {
        const auto name = rule.name.fill(values);
        const auto number = name ? decimalNumber(*name) : std::nullopt;
        if (!number || *number <= 0)
            return std::nullopt;
        count = *number;
    }
    double unitMs = rule.unitMs;
    if (!rule.unitInName.isEmpty()) {
        const auto unit = unitOfWord(values.value(rule.unitInName));
        if (!unit)
            return std::nullopt;
        unitMs = *unit;
    }
    return wholeMs(count * unitMs);
}

std::optional<qint64> windowOfBucket(qint64 bucket, qint64 nowMs)
{
    // A key outlives its window by at most one, so that the current window is bucket to bucket + 2.
    constexpr qint64 late = 2;
    static constexpr std::array rounds{day,         6 * hour,   hour,   10 * minute, minute,
                                       10 * second, 5 * second, second, qint64(100)};
    if (bucket <= 0 || nowMs / bucket > longestBucket)
        return std::nullopt;
    const double longest = double(nowMs) / double(bucket);
    const double shortest = double(nowMs) / double(bucket + late + 1);
    for (const qint64 round : rounds) {
        const qint64 window = qint64(std::floor(longest / double(round))) * round;
        if (window > 0 && double(window) > shortest)
            return window;
    }
    return std::nullopt;
}

std::optional<qint64> windowOfStart(qint64 startMs, std::optional<qint64> ttlMs, qint64 nowMs,
                                    std::span<const qint64> windows, qint64 slackMs)
{
    constexpr qint64 skew = 2 * second;
    if (!ttlMs || startMs > nowMs + skew)
        return std::nullopt;
    std::optional<qint64> longest;
    for (const qint64 window : windows) {
        const bool starts = startMs % window == 0;
        // The TTL was set after the window began and is not shorter than the window.
        const bool fits = nowMs + *ttlMs >= startMs + window - skew && *ttlMs <= window + slackMs &&
                          nowMs <= startMs + 2 * window + slackMs;
        if (starts && fits && window > longest.value_or(0))
            longest = window;
    }
    return longest;
}

std::optional<double> timeInText(const QByteArray& text)
{
    if (const auto number = decimalNumber(text)) {
        const auto unit = timeUnitOf(*number);
        return unit ? std::optional(toMs(*number, *unit)) : std::nullopt;
    }
    const QDateTime time = text.size() > 10 && text.size() < 40
                               ? QDateTime::fromString(QString::fromLatin1(text), Qt::ISODateWithMs)
                               : QDateTime();
    return time.isValid() ? std::optional(double(time.toMSecsSinceEpoch())) : std::nullopt;
}

} // namespace lk
