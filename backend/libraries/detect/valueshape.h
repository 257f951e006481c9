// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace lk {

// The shape of a value or of a part of a name, from its bytes alone. See the table of lock tokens:
// libraries store random hex, UUIDs, base64 or "host:pid" as a lock's owner.

bool isUuid(QByteArrayView text); ///< 8-4-4-4-12 hex digits
/// An IPv4 or IPv6 address, with or without a prefix length.
bool isNetworkAddress(QByteArrayView text);
bool isHex(QByteArrayView text);         ///< hex digits only, at least one of them
bool isPrintable(QByteArrayView text);   ///< printable ASCII or valid UTF-8 without controls
bool looksLikeJson(QByteArrayView text); ///< begins like a JSON object, array or string

/// Random enough to tell one holder from another: a UUID (with a suffix or not), hex with digits
/// and letters of six or more, mixed base64 or alphanumeric text of 16 or more, or host:pid. Never
/// a plain number, a plain word, JSON or a text with spaces.
bool looksLikeOwnerToken(QByteArrayView text);

/// True if a part of a name or a member cannot be a word: it has a digit or an @, or is long and
/// mixed.
bool looksOpaque(QByteArrayView text);

} // namespace lk
