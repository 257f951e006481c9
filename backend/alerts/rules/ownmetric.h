// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/kind.h"

#include <optional>
#include <span>

namespace lk {

/// The metrics for rules besides those in the layouts' descriptors: metrics that no layout charts
/// or that are known only by watching, and those of the server itself.
enum class OwnMetric : quint8 {
    Held,
    HeldRatio,
    Stuck,
    UsedRatio,
    LostNodes,
    CommandsPerSecond,
    UsedMemory,
};

/// The kind and the id of a metric, as written in a rule.
struct OwnMetricName
{
    OwnMetric metric;
    std::optional<Kind> kind; ///< nothing for the server
    const char* id;
    bool isDuration = false; ///< in milliseconds
};
std::span<const OwnMetricName> ownMetrics();

/// Nothing if it is a layout's metric, or unknown.
std::optional<OwnMetric> ownMetricOf(std::optional<Kind> kind, const QByteArray& id);

QString title(OwnMetric metric); ///< "Held for"; translated

} // namespace lk
