// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"

namespace lk {

/// Encodes the facts of the server and the counts of the scan for the recording.
QByteArray encodeServer(const ServerFacts& server, const ScanCounts& scan);
/// Returns false if the bytes are incomplete or of a newer version.
bool decodeServer(QByteArrayView bytes, ServerFacts& server, ScanCounts& scan);

} // namespace lk
