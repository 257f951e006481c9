// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace lk {

/// How far a scan is: "scanning 43 %, 1 m 20 s left". Without numbers where nobody told how many
/// keys there are.
QString scanningText(qint64 scanned, qint64 expected, qint64 elapsedMs);

/// Percent of the keys that are read, below 100 until the scan has come to its end; empty where
/// nobody told how many there are.
std::optional<int> scannedPercent(qint64 scanned, qint64 expected);
/// "1 % of the keys read", or "1,204 keys read" where nobody told how many there are: for a
/// sentence that claims nothing of the rest.
QString readSoFarText(qint64 scanned, qint64 expected);

} // namespace lk
