// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lk {

/// Returns the default path of the recording: $XDG_STATE_HOME/lockkeeper/history.db, else under
/// ~/.local/state. Private to the user.
QString historyPath();

} // namespace lk
