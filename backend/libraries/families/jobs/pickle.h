// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonArray>

namespace lk::actions {

/// JSON as what Python's pickle reads it back as, protocol 2: the array itself is a tuple, as are
/// those of its members that a call is made of (the third).
QByteArray pickled(const QJsonArray& call);

} // namespace lk::actions
