// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/catalogue/redisson/redissonpermits.h"
#include "backend/libraries/detect/replyvalues.h"

#include <span>

namespace lk {

/// The settings in the hash of a Redisson rate limiter.
struct RedissonSettings
{
    std::optional<qint64> rate;
    std::optional<qint64> intervalMs;
    std::optional<qint64> keepAliveMs; ///< 0 if it never expires
    bool perClient = false;
};
/// The hash fields that contain the settings.
const std::vector<QByteArray>& redissonFields();
/// Decodes the reply to an HMGET of these fields.
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
    bool cut = false;     ///< older marks exist that were not read
    bool unknown = false; ///< a member has an unknown packing
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

/// How much of a pool is used. The usage is computed from the marks. It is computed from the value
/// if there are too many marks, and for versions before 3.13.3, which kept no marks but gave the
/// value a TTL.
struct RedissonUsage
{
    std::optional<qint64> used;
    bool upperBound = false;
    std::optional<qint64> nextFreeMs; ///< until one permit is free
    qint64 revisitAtMs = 0;
    std::vector<qint64> accepted;
};
/// Returns the sum of available and logged permits minus the rate. An acquire does not change that
/// sum. Negative if permits are missing. Returns nothing if the log is incomplete or missing.
std::optional<qint64> driftOf(const RedissonPool& pool, const RedissonSettings& settings);

RedissonUsage usageOf(const RedissonPool& pool, const RedissonSettings& settings, qint64 nowMs);

} // namespace lk
