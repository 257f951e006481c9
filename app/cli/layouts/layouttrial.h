// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/invocation.h"

namespace lk {

/// `lockkeeper layouts --try FILE URL`: what a layout file finds on a server, and of keys that are
/// named as it says why they are none. Returns the exit code.
int runLayoutTrial(const Invocation& invocation);

} // namespace lk
