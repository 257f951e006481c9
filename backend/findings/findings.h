// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"

#include <optional>

namespace lk {

/// The hazards that one state shows, in the order of the rules in findings.cpp. Pure.
std::vector<Finding> findingsOf(const State& state);

/// The worst severity among them; nothing if there is none.
std::optional<Finding::Severity> worst(const std::vector<Finding>& findings);

} // namespace lk
