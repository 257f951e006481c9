// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"
#include "backend/libraries/api/configfield.h"
#include "backend/libraries/detect/replyvalues.h"

namespace lk {

// What the layouts of locks share: from an owner or holders to a state.

/// A value, member or field as the name of a holder: at most 128 bytes of it.
QByteArray holderName(const QByteArray& stored);

/// What HSCAN brought: names and values. The reply is one batch, which is all of a small hash.
std::vector<std::pair<QByteArray, QByteArray>> scannedFieldsOf(const Reply& reply);
/// The same of SSCAN.
std::vector<QByteArray> scannedMembersOf(const Reply& reply);

/// Takes the value of a string as the owner where it can be one: printable, whole, no JSON.
void takeOwner(LockState& lock, const QByteArray& value, bool whole);

/// Fills in phase, lease, holds and owner from the holders, whose leases count: who has run out
/// holds nothing. Sorts them, and keeps the first mostLockHolders. Call with all that were read.
void finalizeHolders(LockState& lock, std::vector<LockHolder> holders);

/// How many may hold a semaphore whose library does not store it: what an operator has declared.
std::optional<qint64> declaredLimit(const Primitive& primitive);
/// The field of a declaration that says so.
std::vector<ConfigField> limitField();

/// Fills in what follows from the lock for the state: health, urgency, when to read again.
/// ttlMs is the lease of a lock that has no other.
void finalizeLock(State& state, LockState lock, const Ttl& ttl, qint64 nowMs);

} // namespace lk
