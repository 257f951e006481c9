// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/link.h"

namespace lk {

/// How many commands a second the server answers others. Where INFO's instantaneous figure is high
/// they are counted over so many milliseconds, in which this connection sends nothing: that figure
/// is of the last second or two, in which whoever asks may have been the one. Nothing where INFO
/// does not tell, as to a user who is denied it. The handler is called once, in this thread, unless
/// the context was destroyed before.
void countOthers(Link& link, int overMs, QObject* context,
                 const std::function<void(std::optional<double> perSecond)>& handler);

} // namespace lk
