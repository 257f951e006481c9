// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/actions/outcomestyle.h"

#include "widgets/theme/icon.h"

namespace lk {

QString outcomeIconName(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Succeeded:
        return QStringLiteral("ok");
    case Outcome::Conflict:
        return QStringLiteral("warning");
    case Outcome::Refused:
        return QStringLiteral("error");
    case Outcome::Unknown:
        break;
    }
    return QStringLiteral("unknown");
}

ColorRole outcomeRole(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Succeeded:
        return ColorRole::Ok;
    case Outcome::Refused:
        return ColorRole::Danger;
    case Outcome::Conflict:
    case Outcome::Unknown:
        break;
    }
    return ColorRole::Warning;
}

QIcon outcomeIcon(Outcome outcome, const QPalette& palette)
{
    return icon(outcomeIconName(outcome), outcomeRole(outcome), palette);
}

} // namespace lk
