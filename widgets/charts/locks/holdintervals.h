// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/holdlog.h"
#include "widgets/charts/locks/locktimeline.h"

namespace lk {

/// The holds of one lock as a LockTimeline draws them. lane: the lock, as shown.
std::vector<HoldInterval> holdIntervals(const std::vector<Hold>& holds, const QString& lane);

} // namespace lk
