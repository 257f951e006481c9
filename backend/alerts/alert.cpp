// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/alerts/alert.h"

#include "backend/core/names/glob.h"

#include <algorithm>
#include <iterator>
#include <utility>

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

Alerts alertsAsOf(const Alerts& alerts, qint64 serverMs, qint64 localMs)
{
    Alerts then;
    then.raisedHere = alerts.raisedHere;
    for (const auto* all : {&alerts.open, &alerts.past}) {
        for (const AlertPtr& alert : *all) {
            if (alert->firedMs > serverMs)
                continue;
            if (alert->resolvedMs != 0 && alert->resolvedMs <= serverMs) {
                then.past.push_back(alert);
                continue;
            }
            auto open = std::make_shared<Alert>(*alert);
            open->resolvedMs = 0;
            if (open->acknowledgedMs > serverMs) {
                open->acknowledgedMs = 0;
                open->acknowledgedBy.clear();
            }
            then.open.push_back(std::move(open));
        }
    }
    std::ranges::stable_sort(then.open, [](const AlertPtr& a, const AlertPtr& b) {
        return std::pair(a->severity, a->firedMs) > std::pair(b->severity, b->firedMs);
    });
    std::ranges::copy_if(alerts.silences, std::back_inserter(then.silences),
                         [localMs](const Silence& silence) { return silence.atMs <= localMs; });
    return then;
}

} // namespace lk
