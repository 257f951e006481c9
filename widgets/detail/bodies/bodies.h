// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/detail/bodies/detailbody.h"

namespace lk {

// One for each kind; the file is called after it.
DetailBody* makeLimiterBody();
DetailBody* makeLockBody();
DetailBody* makeQueueBody();
DetailBody* makeTokenBody();
DetailBody* makePatternBody();

} // namespace lk
