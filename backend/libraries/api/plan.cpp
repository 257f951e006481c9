// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/api/plan.h"

#include "backend/core/clock.h"
#include "backend/libraries/api/action.h"
#include "backend/text/time/duration.h"

#include <QLocale>

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace lk {

qint64 objectsOf(const std::vector<Plan>& plans)
{
    return std::accumulate(plans.begin(), plans.end(), qint64(0),
                           [](qint64 sum, const Plan& plan) { return sum + plan.objects; });
}

bool stillFits(const Plan& shown, const Plan& now)
{
    if (shown.seenExpiryMs && now.seenExpiryMs &&
        std::abs(*shown.seenExpiryMs - *now.seenExpiryMs) > expiryToleranceMs)
        return false;
    // There may be more values now, as long as all that were seen are still there.
    return shown.seenExpiryMs.has_value() == now.seenExpiryMs.has_value() &&
           std::all_of(shown.seen.begin(), shown.seen.end(), [&](const QByteArray& seen) {
               return std::find(now.seen.begin(), now.seen.end(), seen) != now.seen.end();
           });
}

QString undoText(const UndoWay& undo)
{
    if (undo.kind == UndoWay::Kind::None)
        return ActionText::tr("not possible: %1").arg(undo.why);
    const QString size = QLocale().formattedDataSize(undoLimitBytes, 0, QLocale::DataSizeSIFormat);
    switch (undo.lasts) {
    case UndoLasts::Program:
        return ActionText::tr("until this program exits, unless the key changes; up to %1 per "
                              "key, in memory only")
            .arg(size);
    case UndoLasts::UntilLogout:
        return ActionText::tr("for %1 or until you log out of this machine, unless the key "
                              "changes; up to %2 per key")
            .arg(formatDuration(undoKeptMs), size);
    case UndoLasts::ADay:
        break;
    }
    return ActionText::tr("for %1, unless the key changes; up to %2 per key")
        .arg(formatDuration(undoKeptMs), size);
}

} // namespace lk
