// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/link.h"

namespace lk {

/// Measures how many commands per second the server answers for other clients. If INFO's
/// instantaneous figure is high, the commands are counted over overMs milliseconds, during which
/// this connection sends nothing. A low figure is reported as 0. The figure covers the last second
/// or two and may include the caller's own commands. The result is empty if INFO does not report
/// it, for example because the user may not call INFO. The handler is called once, in this thread,
/// unless the context was destroyed before.
void countOthers(Link& link, int overMs, QObject* context,
                 const std::function<void(std::optional<double> perSecond)>& handler);

} // namespace lk
