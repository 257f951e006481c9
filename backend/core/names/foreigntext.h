// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lk {

// Foreign text (key names, replies, files) passes through foreignText() or displayName(), which
// uses the same rules, before the user sees it. Terminals execute escapes, bidirectional marks
// reverse the line, line separators break rows, and invisible characters make two names look alike.

/// True if the character only takes its place in a line: no control, format, separator (except the
/// space), surrogate, private or unassigned code point, and not invisible.
bool isPlainCharacter(char32_t character);

/// The most marks allowed on one character. More of them would leave their row.
inline constexpr int mostStackedMarks = 3;
/// True if the mark is drawn over the previous character.
bool isStackedMark(char32_t character);

/// Escapes decoded foreign text: a character that is not plain becomes the \xNN of its UTF-8.
/// Backslashes stay, so text that has passed through here or displayName() is not changed again.
QString foreignText(const QString& text);

} // namespace lk
