// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/session.h"
#include "widgets/theme/themecolors.h"

namespace lk {

/// How a deployment is in one word and icon: what the switcher and the overview show of it.
struct StatusWord
{
    QString iconName; ///< of our own set
    ColorRole role = ColorRole::Second;
    QString text; ///< translated

    bool operator==(const StatusWord&) const = default;
};

/// "connected", "connecting", "lost", "login needed".
StatusWord connectionWord(const Session& session);
/// "2 errors", "1 warning", "no findings": the worst severity and how many have it. Not connected:
/// what was seen last. While there are none and not all keys were read: how many were.
StatusWord worstFindingWord(const Session& session);
/// "2 open", "none"; of a session that raises none a dash: the alerts that nobody has acknowledged
/// or silenced.
StatusWord alertsWord(const Session& session);
/// "production, orders-eu, connected, 2 errors, write mode": all of it for those who do not see it.
QString deploymentText(const Session& session);

} // namespace lk
