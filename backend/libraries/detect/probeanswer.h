// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/detect/probe.h"

namespace lk {

/// So many names of a hash's fields are asked for.
inline constexpr int mostFieldNames = 32;

/// Whether Probe::fieldNames are all that the hash has. Not before the server was asked.
bool hasAllFieldNames(const Probe& probe);

/// The reply to that command as far as the probe tells it: one that it got, or what follows from
/// these. Nothing: the server has to be asked.
std::optional<Reply> answerFrom(const Probe& probe, const Command& command);

} // namespace lk
