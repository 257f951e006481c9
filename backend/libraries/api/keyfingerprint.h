// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/protocol/reply.h"

namespace lk {

/// The SHA-1 in hex of what DUMP says of a key, without the last ten bytes: the version of its
/// format and a checksum over that too, which another version of the server writes differently.
/// Where a newer version packs a type in another way (Redis 7.2 small sets of words and streams),
/// the same content still has another one. Empty for a key that is not there.
/// lua/actions/prelude.lua makes the same.
QByteArray fingerprintOfDump(const Reply& dump);

/// True if the key has that fingerprint, or the one of earlier releases: of all of DUMP.
bool hasFingerprint(const Reply& dump, const QByteArray& fingerprint);

} // namespace lk
