// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/severitystyle.h"

#include "widgets/theme/icon.h"

namespace lk {

QString severityIconName(Finding::Severity severity)
{
    switch (severity) {
    case Finding::Severity::Error:
        return QStringLiteral("error");
    case Finding::Severity::Warning:
        return QStringLiteral("warning");
    case Finding::Severity::Info:
        break;
    }
    return QStringLiteral("info");
}

ColorRole severityRole(Finding::Severity severity)
{
    switch (severity) {
    case Finding::Severity::Error:
        return ColorRole::Danger;
    case Finding::Severity::Warning:
        return ColorRole::Warning;
    case Finding::Severity::Info:
        break;
    }
    return ColorRole::Second;
}

QIcon severityIcon(Finding::Severity severity, const QPalette& palette, bool isFaint)
{
    return icon(severityIconName(severity), isFaint ? ColorRole::Second : severityRole(severity),
                palette);
}

} // namespace lk
