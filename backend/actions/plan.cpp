// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/actions/plan.h"

#include "backend/actions/action.h"
#include "backend/core/duration.h"

#include <QLocale>

namespace lk {

QString undoText(const UndoWay& undo)
{
    return undo.kind == UndoWay::Kind::None
               ? ActionText::tr("not possible: %1").arg(undo.why)
               : ActionText::tr("for %1, if nothing has touched it since; up to %2 a key is kept")
                     .arg(formatDuration(undoKeptMs),
                          QLocale().formattedDataSize(undoLimitBytes, 0));
}

} // namespace lk
