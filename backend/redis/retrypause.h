// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lk {

/// Returns the pause before the next attempt, in milliseconds. It doubles from firstMs up to
/// longestMs. A random quarter more or less keeps many consoles from returning at once.
int retryPause(int attempt, int firstMs, int longestMs);

} // namespace lk
