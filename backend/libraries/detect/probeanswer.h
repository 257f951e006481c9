// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/detect/probe.h"

namespace lk {

/// How many field names of a hash are read.
inline constexpr int mostFieldNames = 32;

/// True if Probe::fieldNames are all fields of the hash. False before the server was asked.
bool hasAllFieldNames(const Probe& probe);

/// The reply to that command according to the probe: one of its replies, or one that follows from
/// them. Nothing if the server has to be asked.
std::optional<Reply> answerFrom(const Probe& probe, const Command& command);

} // namespace lk
