// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/kind.h"

#include <optional>
#include <span>

namespace lk {

/// What no layout charts, or only watching tells, and what the server itself is measured by: for
/// rules, beside what the layouts' descriptors have.
enum class OwnMetric : quint8 {
    Held,
    HeldRatio,
    Stuck,
    UsedRatio,
    LostNodes,
    CommandsPerSecond,
    UsedMemory,
};

/// What it is of, and how it is written in a rule.
struct OwnMetricName
{
    OwnMetric metric;
    std::optional<Kind> kind; ///< nothing: of the server
    const char* id;
    bool isDuration = false; ///< counted in milliseconds
};
std::span<const OwnMetricName> ownMetrics();

/// Nothing: a layout's, or unknown.
std::optional<OwnMetric> ownMetricOf(std::optional<Kind> kind, const QByteArray& id);

QString title(OwnMetric metric); ///< "Held for"; translated

} // namespace lk
