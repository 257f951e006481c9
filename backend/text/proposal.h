// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include <string_view>

namespace lk {

// What to say of a word in a file that is not among the right ones.

/// The word in quotes.
QString quotedWord(std::string_view word);
/// What follows "unknown ...": the nearest right word, then all of them.
QString proposal(std::string_view given, const QStringList& right);

} // namespace lk
