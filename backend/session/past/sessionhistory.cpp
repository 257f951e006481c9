// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/past/sessionhistory.h"

namespace lk {

SessionHistory::~SessionHistory() = default;

} // namespace lk
