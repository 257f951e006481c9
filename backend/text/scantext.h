// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace lk {

/// The progress of a scan: "scanning 43 %, 1 m 20 s left". Without numbers if the number of keys is
/// unknown.
QString scanningText(qint64 scanned, qint64 expected, qint64 elapsedMs);

/// Percentage of the keys read, at most 99. Empty if the number of keys is unknown.
std::optional<int> scannedPercent(qint64 scanned, qint64 expected);
/// "1 % of the keys read", or "1,204 keys read" if the number of keys is unknown. For sentences
/// that claim nothing about the other keys.
QString readSoFarText(qint64 scanned, qint64 expected);

} // namespace lk
