// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/protocol/reply.h"

namespace lk {

/// The SHA-1 in hex of a key's DUMP without its last ten bytes. These contain the version of the
/// format and a checksum that covers it, which differ between server versions. The same content
/// still has another fingerprint if a newer version encodes the type differently (Redis 7.2: small
/// sets of words, and streams). Empty if the key does not exist.
/// lua/actions/prelude.lua computes the same.
QByteArray fingerprintOfDump(const Reply& dump);

/// True if the key has that fingerprint, or that of earlier releases, which covers all of DUMP.
bool hasFingerprint(const Reply& dump, const QByteArray& fingerprint);

} // namespace lk
