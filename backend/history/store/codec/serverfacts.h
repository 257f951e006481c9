// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"

namespace lk {

/// Who answered and what was scanned, as the recording keeps it.
QByteArray encodeServer(const ServerFacts& server, const ScanCounts& scan);
/// False: it is not whole, or of a newer version.
bool decodeServer(QByteArrayView bytes, ServerFacts& server, ScanCounts& scan);

} // namespace lk
