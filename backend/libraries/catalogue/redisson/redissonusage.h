// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/catalogue/redisson/redissonpermits.h"
#include "backend/libraries/detect/replyvalues.h"

#include <span>

namespace lk {

/// What the hash of a Redisson rate limiter holds.
struct RedissonSettings
{
    std::optional<qint64> rate;
    std::optional<qint64> intervalMs;
    std::optional<qint64> keepAliveMs; ///< 0: for ever
    bool perClient = false;
};
/// The fields that tell them.
const std::vector<QByteArray>& redissonFields();
/// Out of the reply to an HMGET of these.
RedissonSettings redissonSettings(const Reply& hash);

/// One permits set with its value, of the limiter or of one client, as read by poolReads().
struct RedissonPool
{
    /// Permits taken at one moment: server time in milliseconds.
    struct Mark
    {
        double ms;
        qint64 permits;
    };
    bool exists = false;
    bool cut = false;     ///< there are older marks than were read
    bool unknown = false; ///< a member of no known packing
    const PermitPacking* packing = nullptr;
    std::vector<Mark> marks; ///< oldest first
    std::optional<qint64> value;
    Ttl valueTtl;

    static constexpr size_t replies = 3;
    static constexpr int mostMarks = 4096; ///< newest read of a large set
};
std::vector<Command> poolReads(const QByteArray& permitsKey, const QByteArray& valueKey,
                               bool large);
RedissonPool poolOf(std::span<const Reply> replies, bool large);

/// How much of a pool is used. From the marks; from the value where there are too many of them, and
/// before 3.13.3, which kept none but gave the value a TTL.
struct RedissonUsage
{
    std::optional<qint64> used;
    bool upperBound = false;
    std::optional<qint64> nextFreeMs; ///< until one permit is free
    qint64 revisitAtMs = 0;
    std::vector<qint64> accepted;
};
/// Available and logged permits beyond the rate, which each acquire leaves as they are together;
/// below 0: missing. Nothing where the log is not whole or there is none.
std::optional<qint64> driftOf(const RedissonPool& pool, const RedissonSettings& settings);

RedissonUsage usageOf(const RedissonPool& pool, const RedissonSettings& settings, qint64 nowMs);

} // namespace lk
