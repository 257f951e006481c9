// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/monitor/sessionsource.h"

namespace lk {

SessionSource::~SessionSource() = default;

} // namespace lk
