// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lk {

/// Returns a text that a label can wrap, whatever name it contains: a run without spaces of more
/// than longestRun characters may be broken every few characters (U+200B). A label is never
/// narrower than its longest run, and a key name may be one of a thousand. Not for texts that are
/// copied, although shorter runs are untouched.
QString breakable(const QString& text, int longestRun = 100);

} // namespace lk
