// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>
#include <vector>

namespace lk {

/// What a server counts for one slot of a cluster, since that began, since it has the slot, or
/// since CONFIG RESETSTAT. Empty: that version or its settings do not count it.
struct SlotLoad
{
    int slot = 0;
    QString node; ///< its endpoint
    std::optional<qint64> keys = {};
    std::optional<qint64> cpuUsec = {};
    std::optional<qint64> memoryBytes = {};
    std::optional<qint64> bytesIn = {};
    std::optional<qint64> bytesOut = {};
    std::optional<double> cpuShare = {}; ///< of one core, since it was asked before

    bool operator==(const SlotLoad&) const = default;
};

/// The slots of a cluster that have most to do, those first. None: no server tells.
struct SlotLoads
{
    std::vector<SlotLoad> busiest;
    bool byKeys = false; ///< no server counts CPU time: those are the slots with most keys

    bool operator==(const SlotLoads&) const = default;
};

} // namespace lk
