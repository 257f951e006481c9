// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"
#include "backend/libraries/api/configfield.h"
#include "backend/libraries/detect/replyvalues.h"

namespace lk {

// Functions that the layouts of locks share: they build a state from an owner or holders.

/// The name of a holder from a value, member or field: at most 128 bytes.
QByteArray holderName(const QByteArray& stored);

/// The names and values in a reply of HSCAN. One batch, which is all of a small hash.
std::vector<std::pair<QByteArray, QByteArray>> scannedFieldsOf(const Reply& reply);
/// The members in a reply of SSCAN.
std::vector<QByteArray> scannedMembersOf(const Reply& reply);

/// Sets the owner to the value of a string if it can be one: printable, whole, not JSON.
void takeOwner(LockState& lock, const QByteArray& value, bool whole);

/// Fills in phase, lease, holds and owner from the holders. A holder whose lease has expired does
/// not count. Sorts the holders and keeps the first mostLockHolders. Pass all that were read.
void finalizeHolders(LockState& lock, std::vector<LockHolder> holders);

/// The limit of a semaphore that the operator declared, for libraries that do not store it.
std::optional<qint64> declaredLimit(const Primitive& primitive);
/// The field of a declaration with that limit.
std::vector<ConfigField> limitField();

/// Puts the lock into the state with health, urgency and the time of the next read. The TTL is the
/// lease of a lock that has no other.
void finalizeLock(State& state, LockState lock, const Ttl& ttl, qint64 nowMs);

} // namespace lk
