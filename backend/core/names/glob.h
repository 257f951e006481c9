// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace lk {

/// Matches a whole key name against a Redis glob: * ? [abc] [^a] [a-z] and \ to quote.
/// Takes time proportional to pattern times name, whatever the pattern.
bool globMatches(const QByteArray& pattern, const QByteArray& name);

/// True if the pattern is a plain name: nothing in it is special.
bool isLiteral(const QByteArray& pattern);

/// A pattern that matches that name alone.
QByteArray quotedForGlob(const QByteArray& name);

/// What every name begins with that the pattern matches.
QByteArray literalStart(const QByteArray& pattern);

} // namespace lk
