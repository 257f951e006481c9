// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace lk {

/// JSON with a line for each member and element; numbers and texts stay as they are written. Empty:
/// it is no JSON object or array.
QByteArray indentedJson(const QByteArray& payload);

/// Returns a payload line by line, with \xNN for bytes that are not printable.
QString payloadLines(const QByteArray& payload);

} // namespace lk
