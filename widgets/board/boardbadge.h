// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "widgets/theme/themecolors.h"

#include <QString>

#include <optional>

namespace lk {

/// What stands beside a board's title in the navigation bar.
struct BoardBadge
{
    qint64 count = -1; ///< below 0: none is shown
    QString iconName;  ///< of our own set; empty: none
    ColorRole iconRole = ColorRole::Text;
    QString description; ///< the same for those who do not see it

    bool operator==(const BoardBadge&) const = default;
};

/// Of primitives, with the worst health among them.
BoardBadge primitivesBadge(qint64 count, Health worst);
/// Of findings, with the highest severity; no severity: there are none.
BoardBadge findingsBadge(qint64 count, std::optional<Finding::Severity> worst);

/// Of open alerts that nobody has seen to.
BoardBadge alertsBadge(qint64 count, std::optional<Finding::Severity> worst);

} // namespace lk
