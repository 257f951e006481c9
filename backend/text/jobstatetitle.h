// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/jobs.h"

namespace lk {

/// "In progress", "Waiting children". Translated if the state is a common one.
QString jobStateTitle(const JobState& state);

} // namespace lk
