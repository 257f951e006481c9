// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/names/keyname.h"
#include "backend/core/names/namewords.h"

namespace lk {

// What a key's name suggests. Hints only: what a key is, its content and the keys beside it prove.

/// Whom or what a key is about, as a part of its name: a number, an address, an e-mail, a telephone
/// number, or random text.
bool isIdentity(QByteArrayView part);

/// Text that no person would choose: a UUID, hex of six and more with digits and letters, letters
/// and digits that change places again and again. Not a date, a version, a slug or a number.
bool isRandomText(QByteArrayView text);

/// A code to be typed in: four to eight digits, or as many capitals and digits.
bool isTypedCode(QByteArrayView text);

/// What stands before the first ':' or '/'.
QByteArrayView firstPart(QByteArrayView name);

/// What stands behind the last ':' (or the last separator, where there is no ':').
QByteArrayView tailOf(QByteArrayView name);

/// True if one of the words stands where a name says what its key is: in the first part between ':'
/// and '/', or in the last that is not an identity. "lock:order:42", "order:42:lock", "job-lock:7".
bool leadsOrEnds(QByteArrayView name, const WordList& words);

/// True if a whole part between ':', '/' and '.' is one of the words; outer: the first or last one.
bool hasPart(QByteArrayView name, const WordList& words, bool outer = false);

/// True if one of the name's parts between ':' and '/' is such.
bool anyPart(QByteArrayView name, bool (*is)(QByteArrayView part));
/// True if a part of it is an identity.
bool namesIdentity(QByteArrayView name);
/// True if a part of it is random text.
bool hasRandomPart(QByteArrayView name);

} // namespace lk
