// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace lk {

/// Matches a whole key name against a Redis glob: * ? [abc] [^a] [a-z] and \ to quote.
/// Takes time proportional to pattern times name, whatever the pattern.
bool globMatches(const QByteArray& pattern, const QByteArray& name);

/// True if the pattern contains no special characters.
bool isLiteral(const QByteArray& pattern);

/// A pattern that matches that name alone.
QByteArray quotedForGlob(const QByteArray& name);

/// The prefix that all names matching the pattern share.
QByteArray literalStart(const QByteArray& pattern);

} // namespace lk
