// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

namespace lk {

/// Reads a hash with a TTL as a lock. Its owner is the value of the first of ownerFields that
/// exists, else the name of its only field, whose value is the number of holds.
std::vector<Command> hashLockReads(const QByteArray& key);
State hashLockState(std::span<const Reply> replies, const std::vector<QByteArray>& ownerFields,
                    const ReadContext& context);

} // namespace lk
