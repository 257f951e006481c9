// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace lk {

/// A key name, owner, member or reply as text: plain UTF-8 as it is (see isPlainCharacter()), every
/// other byte (control and format characters, line separators, what is invisible, marks stacked on
/// marks, invalid UTF-8, the backslash itself) as \xNN. Never loses information.
/// For people: of a name of more than a kilobyte the beginning and its size, so that no window
/// lays out a megabyte.
QString displayName(const QByteArray& bytes);

/// The same, always whole: for files, commands and clipboards.
QString exactName(const QByteArray& bytes);

/// The bytes that exactName() was made of.
QByteArray bytesFromDisplay(const QString& text);

/// A preview of at most maxChars characters, an ellipsis at the end where it was cut.
QString displayPreview(const QByteArray& bytes, int maxChars);

/// The name's last segment's start: the position after the last of : . / _ - | # { } @ and space,
/// or 0.
qsizetype lastSegment(QByteArrayView name);

} // namespace lk
