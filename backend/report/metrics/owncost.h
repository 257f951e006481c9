// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lk {

/// What this process costs its machine.
struct OwnCost
{
    double cpuSeconds = 0; ///< since it began
    qint64 residentBytes = 0;
};
OwnCost ownCost();

} // namespace lk
