// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lk {

/// Where the recording is unless another file is named: $XDG_STATE_HOME/lockkeeper/history.db, else
/// under ~/.local/state. Private to the user.
QString historyPath();

} // namespace lk
