// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <array>

namespace lk {

/// The resolution of a part of the recording and how long it is kept. Blocks that are older than a
/// tier keeps are merged into blocks of the next tier.
struct RecordingTier
{
    qint64 stepMs;  ///< the step of its points; 0: as read
    qint64 keepMs;  ///< the greatest age of its points
    qint64 blockMs; ///< the time that one block covers

    bool operator==(const RecordingTier&) const = default;
};

/// How long the recording keeps data. Milliseconds.
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
    /// The most states kept for a minute once they are no longer kept as read. If there are more,
    /// states are kept further apart, up to 5 minutes. Does not apply to numbers and holds.
    qint64 statesAMinute = 24'000;
    qint64 capBytes = 2LL * 1024 * 1024 * 1024; ///< the limit of the file's size

    bool operator==(const Retention&) const = default;
    qint64 longestMs() const { return tiers.back().keepMs; }
};

} // namespace lk
