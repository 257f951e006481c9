// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lk {

/// The path of the alerts of all programs of a user: lockkeeper/alerts.db in XDG_STATE_HOME.
QString alertDatabasePath();

} // namespace lk
