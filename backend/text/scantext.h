// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lk {

/// How far a scan is: "scanning 43 %, 1 m 20 s left". Without numbers where nobody told how many
/// keys there are.
QString scanningText(qint64 scanned, qint64 expected, qint64 elapsedMs);

} // namespace lk
