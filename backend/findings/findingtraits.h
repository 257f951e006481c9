// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"

namespace lk {

// What others ask of a finding without knowing the rules' codes. Pure.

/// It tells what the scan could not read: its key is a permission or a reason, no key of the
/// server.
bool tellsOfUnread(const Finding& finding);

/// Why a replica's values are old; empty: they are not. Translated.
QString staleReplicaText(const ServerFacts& server);

} // namespace lk
