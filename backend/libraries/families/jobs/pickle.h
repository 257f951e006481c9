// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonArray>

namespace lk::actions {

/// The JSON array in Python's pickle format, protocol 2. The array itself and its third member, the
/// positional arguments of a call, become tuples.
QByteArray pickled(const QJsonArray& call);

} // namespace lk::actions
