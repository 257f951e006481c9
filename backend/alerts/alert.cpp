// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/alerts/alert.h"

#include "backend/core/names/glob.h"

#include <algorithm>

namespace lk {

bool Silence::covers(const Alert& alert, qint64 nowMs) const
{
    if (untilMs != 0 && nowMs >= untilMs)
        return false;
    return (rule.isEmpty() || rule == alert.rule) &&
           (match.isEmpty() || globMatches(match, alert.name) ||
            globMatches(match, alert.primitive.name));
}

const Silence* Alerts::silenceOf(const Alert& alert, qint64 nowMs) const
{
    const auto it = std::find_if(silences.begin(), silences.end(),
                                 [&](const Silence& s) { return s.covers(alert, nowMs); });
    return it == silences.end() ? nullptr : &*it;
}

Alerts::Count Alerts::unattended(qint64 nowMs) const
{
    Count all;
    for (const AlertPtr& alert : open) {
        if (alert->acknowledgedMs != 0 || silenceOf(*alert, nowMs))
            continue;
        ++all.count;
        all.worst = std::max(all.worst.value_or(alert->severity), alert->severity);
    }
    return all;
}

} // namespace lk
