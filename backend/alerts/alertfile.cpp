// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/alerts/alertfile.h"

#include <QDir>

namespace lk {

QString alertDatabasePath()
{
    QString folder = qEnvironmentVariable("XDG_STATE_HOME");
    if (!QDir::isAbsolutePath(folder))
        folder = QDir::homePath() + QStringLiteral("/.local/state");
    return folder + QStringLiteral("/lockkeeper/alerts.db");
}

} // namespace lk
