// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/jobs.h"

namespace lk {

/// "In progress", "Waiting children". Translated where it is a common one.
QString jobStateTitle(const JobState& state);

} // namespace lk
