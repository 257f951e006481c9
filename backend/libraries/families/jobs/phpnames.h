// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace lk {

/// The class of the first object in PHP's serialize() output that is not in the given namespace.
/// Empty if there is none. Reads only the first bytes.
QByteArray phpClassIn(const QByteArray& serialized, const char* otherThan = nullptr);

} // namespace lk
