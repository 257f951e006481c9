// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"

namespace lk {

struct LiveFindings;

// What others ask of a finding without knowing the rules' codes. Pure.

/// It is of a group of servers that hold locks together, or of such a lock: no state of the
/// session shows it.
bool isOfRedlock(const Finding& finding);
/// Of all those, without the silenced ones; nothing: there are none.
std::optional<Finding::Severity> worstOfRedlock(const LiveFindings& findings);

/// Why a replica's values are old; empty: they are not. Translated.
QString staleReplicaText(const ServerFacts& server);

} // namespace lk
