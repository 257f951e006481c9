// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/redactedname.h"
#include "backend/core/snapshot.h"

namespace lk {

class SlotOwners;

/// A node of the deployment, as it stands in a snapshot's JSON.
QByteArray nodeJson(const NodeFacts& node);

/// Of a primitive whose keys are in several slots: which of them is where.
QByteArray slotsJson(const Primitive& primitive, const SlotOwners& owners, Codes codes);

} // namespace lk
