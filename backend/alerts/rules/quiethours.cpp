// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/alerts/rules/quiethours.h"

#include <algorithm>

namespace lk {

namespace {

bool beginsOn(const QuietHours& hours, const QDate& day)
{
    return (hours.days & (1U << (day.dayOfWeek() - 1))) != 0;
}

bool contains(const QuietHours& hours, const QDateTime& local)
{
    const int minute = local.time().hour() * 60 + local.time().minute();
    const QDate day = local.date();
    if (hours.fromMinute < hours.toMinute)
        return beginsOn(hours, day) && minute >= hours.fromMinute && minute < hours.toMinute;
    // Over midnight: the evening of its day, or the morning after.
    return (beginsOn(hours, day) && minute >= hours.fromMinute) ||
           (beginsOn(hours, day.addDays(-1)) && minute < hours.toMinute);
}

} // namespace

bool isQuiet(const std::vector<QuietHours>& hours, Finding::Severity severity,
             const QDateTime& local)
{
    return std::any_of(hours.begin(), hours.end(), [&](const QuietHours& h) {
        return severity <= h.upTo && contains(h, local);
    });
}

} // namespace lk
