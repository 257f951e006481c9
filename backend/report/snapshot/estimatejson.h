// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/redactedname.h"
#include "backend/report/snapshot/statesequence.h"

namespace lk {

/// Returns a sample's estimates for all keys as an object: counts by layout and prefix with their
/// bounds, and the fullest and the oldest primitives seen. Durations are milliseconds.
QByteArray estimatesJson(const ScanCounts& scan, const StateSequence& states, Codes codes);

} // namespace lk
