// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lk {

// Whatever others wrote (key names, replies, files) passes here or through displayName(), which
// uses the same rules, on its way to a person: a terminal obeys escapes, bidirectional marks turn
// the line around, line separators break rows, and what is invisible makes two names look alike.

/// A character that takes its place in a line and does nothing else: no control, format, separator
/// (but the space), surrogate, private or unassigned code point, and none that is invisible.
bool isPlainCharacter(char32_t character);

/// Marks that may stand on one character; more of them grow out of their row.
inline constexpr int mostStackedMarks = 3;
/// A mark that is drawn over the character before it.
bool isStackedMark(char32_t character);

/// Text of another's making, already decoded: what is not plain as the \xNN of its UTF-8. A
/// backslash stays, so that text which went through here or displayName() before is not changed
/// again.
QString foreignText(const QString& text);

} // namespace lk
