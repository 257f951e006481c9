// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/catalogue/redisson/redissonusage.h"

#include "backend/libraries/families/limiters/limiterreading.h"

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

using Mark = RedissonPool::Mark;

RedissonUsage usageFromValue(const RedissonPool& pool, const RedissonSettings& settings,
                             qint64 nowMs)
{
    RedissonUsage u;
    if (!settings.rate || !pool.value)
        return u;
    const bool legacy = pool.marks.empty();
    u.used = std::max<qint64>(0, *settings.rate - *pool.value);
    // Expired permits are credited only at the next acquire, so the value may lag behind.
    u.upperBound = !legacy;
    if (*u.used < *settings.rate)
        u.nextFreeMs = 0;
    else if (legacy)
        u.nextFreeMs = pool.valueTtl.ms;
    if (legacy && pool.valueTtl.ms)
        u.revisitAtMs = nowMs + *pool.valueTtl.ms + 1;
    return u;
}

// Counts the marks, beginning with the first one in the window.
RedissonUsage usageFromMarks(std::span<const Mark> marks, const RedissonSettings& settings,
                             qint64 nowMs)
{
    RedissonUsage u;
    u.used = 0;
    for (const Mark& m : marks) {
        *u.used += m.permits;
        u.accepted.push_back(wholeMs(m.ms));
    }
    if (!settings.intervalMs) {
        u.upperBound = !marks.empty();
        return u;
    }
    const auto leavesIn = [&](const Mark& m) {
        const double at = std::ceil(m.ms + double(*settings.intervalMs));
        return std::max<qint64>(0, wholeMs(at) - nowMs);
    };
    if (!marks.empty())
        u.revisitAtMs = nowMs + std::max<qint64>(1, leavesIn(marks.front()));
    if (!settings.rate)
        return u;
    u.nextFreeMs = 0;
    qint64 left = *u.used;
    for (const Mark& m : marks) {
        if (left < *settings.rate)
            break;
        left -= m.permits;
        u.nextFreeMs = leavesIn(m);
    }
    return u;
}

} // namespace

const std::vector<QByteArray>& redissonFields()
{
    static const std::vector<QByteArray> fields{"rate", "interval", "type", "keepAliveTime"};
    return fields;
}

RedissonSettings redissonSettings(const Reply& hash)
{
    const auto number = [&](const char* field) -> std::optional<qint64> {
        const auto text = fieldOf(hash, redissonFields(), field);
        return text ? wholeNumber(*text) : std::nullopt;
    };
    return {number("rate"), number("interval"), number("keepAliveTime"), number("type") == 1};
}

std::vector<Command> poolReads(const QByteArray& permitsKey, const QByteArray& valueKey, bool large)
{
    const Command newest{QByteArrayLiteral("ZREVRANGE"), permitsKey, QByteArrayLiteral("0"),
                         QByteArray::number(RedissonPool::mostMarks - 1),
                         QByteArrayLiteral("WITHSCORES")};
    return {large ? newest : probecommands::lowestMembers(permitsKey),
            probecommands::head(valueKey), probecommands::ttl(valueKey)};
}

RedissonPool poolOf(std::span<const Reply> replies, bool large)
{
    RedissonPool pool;
    std::vector<ScoredMember> members = scoredMembersOf(replies[0]);
    pool.cut = int(members.size()) >= (large ? RedissonPool::mostMarks : Probe::memberLimit);
    std::stable_sort(
        members.begin(), members.end(),
        [](const ScoredMember& a, const ScoredMember& b) { return a.score < b.score; });
    for (const ScoredMember& m : members) {
        const auto permits = permitsOf(m.member);
        pool.unknown |= !permits;
        pool.packing = packingOf(m.member);
        pool.marks.push_back({m.score, permits ? qint64(*permits) : 0});
    }
    pool.value = integerOf(replies[1]);
    pool.valueTtl = ttlOf(replies[2]);
    pool.exists = !members.empty() || pool.valueTtl.exists;
    return pool;
}

std::optional<qint64> driftOf(const RedissonPool& pool, const RedissonSettings& settings)
{
    const bool legacy = pool.marks.empty() && pool.valueTtl.ms;
    if (!settings.rate || !pool.value || pool.cut || pool.unknown || legacy)
        return std::nullopt;
    qint64 permits = *pool.value;
    for (const Mark& m : pool.marks)
        permits += m.permits;
    return permits - *settings.rate;
}

RedissonUsage usageOf(const RedissonPool& pool, const RedissonSettings& settings, qint64 nowMs)
{
    if (pool.unknown)
        return {};
    if (pool.marks.empty() && pool.valueTtl.ms)
        return usageFromValue(pool, settings, nowMs);
    const auto cutoff = cutoffOf(settings.intervalMs, nowMs);
    const auto first = std::find_if(pool.marks.begin(), pool.marks.end(),
                                    [&](const Mark& m) { return !cutoff || m.ms > *cutoff; });
    if (pool.cut && first == pool.marks.begin())
        return usageFromValue(pool, settings, nowMs);
    return usageFromMarks({first, pool.marks.end()}, settings, nowMs);
}

} // namespace lk
