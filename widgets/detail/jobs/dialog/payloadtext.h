// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace lk {

/// JSON with a line for each member and element; numbers and texts stay as they are written. Empty:
/// it is no JSON object or array.
QByteArray indentedJson(const QByteArray& payload);

/// A payload as it is shown: line by line, what does not print as \xNN.
QString payloadLines(const QByteArray& payload);

} // namespace lk
