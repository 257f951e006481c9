// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lk {

/// How long to wait before the next of so many tries in a row, in milliseconds: doubles from
/// firstMs on, up to longestMs; a quarter more or less, so that many consoles do not return at
/// once.
int retryPause(int attempt, int firstMs, int longestMs);

} // namespace lk
