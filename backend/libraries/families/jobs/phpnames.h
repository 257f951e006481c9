// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace lk {

/// The class of the first object in what PHP's serialize() wrote that is not one of the given
/// namespace's own; empty where there is none. Looks at the first bytes only.
QByteArray phpClassIn(const QByteArray& serialized, const char* otherThan = nullptr);

} // namespace lk
