// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/redactedname.h"
#include "backend/report/snapshot/statesequence.h"

namespace lk {

/// What a sample says of all keys, as an object: counts by layout and prefix with their bounds, the
/// fullest and the oldest of what was seen. Durations are milliseconds.
QByteArray estimatesJson(const ScanCounts& scan, const StateSequence& states, Codes codes);

} // namespace lk
