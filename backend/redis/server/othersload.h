// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/link.h"

namespace lk {

/// How many commands a second the server answers others. Where INFO's instantaneous figure is high
/// they are counted over some milliseconds in which this connection sends nothing: that figure is
/// of the last second or two, in which whoever asks may have been the one. 0 where INFO is denied.
/// The handler is called once, in this thread, unless the context was destroyed before.
void countOthers(Link& link, QObject* context,
                 const std::function<void(double perSecond)>& handler);

} // namespace lk
