// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>
#include <vector>

namespace lk {

/// A server's counters for one slot of a cluster, since the server started, since it owns the slot,
/// or since CONFIG RESETSTAT. Empty: the server's version or settings do not count it.
struct SlotLoad
{
    int slot = 0;
    QString node; ///< its endpoint
    std::optional<qint64> keys = {};
    std::optional<qint64> cpuUsec = {};
    std::optional<qint64> memoryBytes = {};
    std::optional<qint64> bytesIn = {};
    std::optional<qint64> bytesOut = {};
    std::optional<double> cpuShare = {}; ///< share of one core since the previous read

    bool operator==(const SlotLoad&) const = default;
};

/// The busiest slots of a cluster, busiest first. Empty if no server reports them.
struct SlotLoads
{
    std::vector<SlotLoad> busiest;
    bool byKeys = false; ///< no server counts CPU time: the slots with most keys instead

    bool operator==(const SlotLoads&) const = default;
};

} // namespace lk
