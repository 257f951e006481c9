// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/board/boardbadge.h"

#include "backend/findings/findings.h"
#include "widgets/controls/severitystyle.h"
#include "widgets/theme/icon.h"

#include <QCoreApplication>

namespace lk {

namespace {

struct BoardBadgeText
{
    Q_DECLARE_TR_FUNCTIONS(lk::BoardBadge)
};

} // namespace

BoardBadge primitivesBadge(qint64 count, Health worst)
{
    BoardBadge badge{count, {}, healthRole(worst), {}};
    if (count >= 0)
        badge.description = BoardBadgeText::tr("primitives: %1").arg(count);
    if (worst >= Health::Warning)
        badge.iconName = healthIconName(worst);
    if (worst == Health::Warning)
        badge.description += BoardBadgeText::tr(", warnings");
    else if (worst == Health::Error)
        badge.description += BoardBadgeText::tr(", some need attention");
    return badge;
}

BoardBadge findingsBadge(qint64 count, std::optional<Finding::Severity> worst)
{
    if (!worst)
        return {count, {}, ColorRole::Text, BoardBadgeText::tr("no findings")};
    return {count, severityIconName(*worst), severityRole(*worst),
            BoardBadgeText::tr("findings: %1, highest severity: %2")
                .arg(count)
                .arg(severityWord(*worst))};
}

BoardBadge alertsBadge(qint64 count, std::optional<Finding::Severity> worst)
{
    if (!worst)
        return {count, {}, ColorRole::Text, BoardBadgeText::tr("no open alerts")};
    return {count, severityIconName(*worst), severityRole(*worst),
            BoardBadgeText::tr("open alerts: %1, highest severity: %2")
                .arg(count)
                .arg(severityWord(*worst))};
}

} // namespace lk
