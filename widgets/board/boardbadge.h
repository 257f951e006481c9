// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "widgets/theme/themecolors.h"

#include <QString>

#include <optional>

namespace lk {

/// The badge beside a board's title in the navigation bar.
struct BoardBadge
{
    qint64 count = -1; ///< below 0: none is shown
    QString iconName;  ///< from the console's own icons; empty: none
    ColorRole iconRole = ColorRole::Text;
    QString description; ///< the same in words, for screen readers

    bool operator==(const BoardBadge&) const = default;
};

/// Returns the badge for a number of primitives and their worst health.
BoardBadge primitivesBadge(qint64 count, Health worst);
/// Returns the badge for a number of findings and the highest severity. Without a severity there
/// are no findings.
BoardBadge findingsBadge(qint64 count, std::optional<Finding::Severity> worst);

/// Returns the badge for the open alerts that are neither acknowledged nor silenced.
BoardBadge alertsBadge(qint64 count, std::optional<Finding::Severity> worst);

} // namespace lk
