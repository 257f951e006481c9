// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/redactedname.h"
#include "backend/core/snapshot.h"

namespace lk {

class SlotOwners;

/// Returns a node of the deployment as in a snapshot's JSON.
QByteArray nodeJson(const NodeFacts& node);

/// Returns the slot and node of each key of a primitive whose keys are in several slots.
QByteArray slotsJson(const Primitive& primitive, const SlotOwners& owners, Codes codes);

} // namespace lk
