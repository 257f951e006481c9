// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace lk {

/// The cluster's slot of a key, 0 to 16383: of what stands in its first pair of braces, if anything
/// does, else of all of it. See the cluster specification: CRC-16/XMODEM modulo 16384.
int keySlot(const QByteArray& key);

} // namespace lk
