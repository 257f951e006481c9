// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lk {

/// A text that a label can wrap, whatever name is in it: a run of more than so many characters
/// without a space may be broken every few characters (U+200B). A label is never narrower than its
/// longest run, and a key name may be one of a thousand. Not for what is copied: the shorter runs
/// are untouched.
QString breakable(const QString& text, int longestRun = 100);

} // namespace lk
