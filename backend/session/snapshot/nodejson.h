// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"

namespace lk {

/// A node of the deployment, as it stands in a snapshot's JSON.
QByteArray nodeJson(const NodeFacts& node);

} // namespace lk
