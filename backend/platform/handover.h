// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace lk {

// One program that becomes another one and hands it bytes that no other process may see. POSIX.

/// Becomes the program at path, with the arguments of this one. bytes are what takeHandedOver() of
/// that program returns: they go through a pipe, never through arguments or environment. Returns
/// errno if it could not, E2BIG if there are more bytes than a pipe holds.
int becomeProgram(const QString& path, int argc, char** argv, const QByteArray& bytes);

/// Returns the bytes of becomeProgram() once; null if this program was started otherwise.
QByteArray takeHandedOver();

} // namespace lk
