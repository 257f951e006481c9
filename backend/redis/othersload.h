// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/task.h"
#include "backend/redis/link.h"

#include <optional>

namespace lk {

/// Measures how many commands per second the server answers for other clients. If INFO's
/// instantaneous figure is high, the commands are counted over overMs milliseconds, during which
/// this connection sends nothing. A low figure is reported as 0. The figure covers the last second
/// or two and may include the caller's own commands. The result is empty if INFO does not report
/// it, for example because the user may not call INFO.
Task<std::optional<double>> countOthers(Link& link, int overMs, QObject* context);

} // namespace lk
