// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lk {

/// The resources that this process uses.
struct OwnCost
{
    double cpuSeconds = 0; ///< since the process started
    qint64 residentBytes = 0;
};
OwnCost ownCost();

} // namespace lk
