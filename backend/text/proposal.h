// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include <string_view>

namespace lk {

// Texts for an unknown word in a file.

/// The word in quotes.
QString quotedWord(std::string_view word);
/// The text after "unknown ...": the nearest valid word, then all of them.
QString proposal(std::string_view given, const QStringList& right);

} // namespace lk
