// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/actions/plan.h"

#include "backend/actions/action.h"
#include "backend/core/duration.h"

#include <QLocale>

namespace lk {

QString undoText(const UndoWay& undo)
{
    if (undo.kind == UndoWay::Kind::None)
        return ActionText::tr("not possible: %1").arg(undo.why);
    const QString size = QLocale().formattedDataSize(undoLimitBytes, 0);
    return undo.inMemory
               ? ActionText::tr("until this program ends, if nothing has touched it since; up to %1 a "
                                "key is kept, in memory only")
                     .arg(size)
               : ActionText::tr("for %1, if nothing has touched it since; up to %2 a key is kept")
                     .arg(formatDuration(undoKeptMs), size);
}

} // namespace lk
