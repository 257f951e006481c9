// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <array>

namespace lk {

/// How fine the recording is, and for how long. Each tier's blocks are made of those of the one
/// before when they are older than that one keeps.
struct RecordingTier
{
    qint64 stepMs;  ///< of its points; 0: as read
    qint64 keepMs;  ///< so old its points become at most
    qint64 blockMs; ///< so much time is in one block

    bool operator==(const RecordingTier&) const = default;
};

/// For how long the recording keeps what. Milliseconds.
struct Retention
{
    static constexpr qint64 second = 1000;
    static constexpr qint64 minute = 60 * second;
    static constexpr qint64 hour = 60 * minute;
    static constexpr qint64 day = 24 * hour;

    /// As read for an hour, every 10 s for two days, every minute for 30 days, every hour for two
    /// years.
    std::array<RecordingTier, 4> tiers{{{0, hour, minute},
                                        {10 * second, 2 * day, 30 * minute},
                                        {minute, 30 * day, 6 * hour},
                                        {hour, 730 * day, 10 * day}}};
    /// Where more than so many would be left of all states of a minute, once they are kept no
    /// longer as read, they are kept further apart, up to 5 minutes. Numbers and holds are not.
    qint64 statesAMinute = 24'000;
    qint64 capBytes = 2LL * 1024 * 1024 * 1024; ///< the file's size stays under it

    bool operator==(const Retention&) const = default;
    qint64 longestMs() const { return tiers.back().keepMs; }
};

} // namespace lk
