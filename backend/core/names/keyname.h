// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace lk {

/// Returns a key name, owner, member or reply as text. Plain UTF-8 (see isPlainCharacter()) is
/// unchanged. Every other byte (control and format characters, line separators, invisible
/// characters, marks stacked on marks, invalid UTF-8, the backslash itself) becomes \xNN. For
/// display: a name of more than a kilobyte is shortened to its beginning and its size, so that no
/// window lays out a megabyte.
QString displayName(const QByteArray& bytes);

/// The same, but never shortened: for files, commands and clipboards. Loses no information.
QString exactName(const QByteArray& bytes);

/// The bytes that exactName() was made of.
QByteArray bytesFromDisplay(const QString& text);

/// A preview of at most maxChars characters, an ellipsis at the end where it was cut.
QString displayPreview(const QByteArray& bytes, int maxChars);

/// The start of the name's last segment: the index after the last : . / _ - | # { } @ or space, or
/// 0.
qsizetype lastSegment(QByteArrayView name);

} // namespace lk
