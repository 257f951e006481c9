// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace lk {

/// Returns a key's cluster slot, 0 to 16383: CRC-16/XMODEM modulo 16384 of the text in its first
/// pair of braces, or of the whole key if there is none or it is empty. See the cluster
/// specification.
int keySlot(const QByteArray& key);

} // namespace lk
