// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/session.h"
#include "widgets/theme/themecolors.h"

namespace lk {

/// The state of a deployment in a word and an icon, for the switcher and the overview.
struct StatusWord
{
    QString iconName; ///< from the console's own icons
    ColorRole role = ColorRole::Second;
    QString text; ///< translated

    bool operator==(const StatusWord&) const = default;
};

/// "connected", "connecting", "lost", "login needed".
StatusWord connectionWord(const Session& session);
/// "2 errors", "1 warning", "no findings": the worst severity and its number of findings. Without a
/// connection, the last known findings. Without findings and before all keys were read, the
/// progress of the scan.
StatusWord worstFindingWord(const Session& session);
/// "2 open", "none": the alerts that are neither acknowledged nor silenced. A dash for a session
/// that raises no alerts.
StatusWord alertsWord(const Session& session);
/// "production, orders-eu, connected, 2 errors, write mode": everything, for screen readers.
QString deploymentText(const Session& session);

} // namespace lk
