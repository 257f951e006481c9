// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/names/keyname.h"
#include "backend/core/names/namewords.h"

namespace lk {

// Hints from a key's name. They prove nothing: that takes the key's content and the keys beside it.

/// True if the part of a name identifies the subject of the key: a number, an address, an e-mail, a
/// telephone number, or random text.
bool isIdentity(QByteArrayView part);

/// True for text that no person would choose: a UUID, six or more hex digits with digits and
/// letters, or letters and digits that alternate often. Not a date, a version, a slug or a number.
bool isRandomText(QByteArrayView text);

/// True for a code to be typed in: four to eight digits, or as many capitals and digits.
bool isTypedCode(QByteArrayView text);

/// The part before the first ':' or '/'.
QByteArrayView firstPart(QByteArrayView name);

/// The part behind the last ':' (or behind the last separator if there is no ':').
QByteArrayView tailOf(QByteArrayView name);

/// True if one of the words is where a name describes its key: in the first part between ':' and
/// '/', or in the last part that is not an identity. "lock:order:42", "order:42:lock",
/// "job-lock:7".
bool leadsOrEnds(QByteArrayView name, const WordList& words);

/// True if a whole part between ':', '/' and '.' is one of the words; outer: the first or last one.
bool hasPart(QByteArrayView name, const WordList& words, bool outer = false);

/// True if is() returns true for one of the name's parts between ':' and '/'.
bool anyPart(QByteArrayView name, bool (*is)(QByteArrayView part));
/// True if a part of the name is an identity.
bool namesIdentity(QByteArrayView name);
/// True if a part of the name is random text.
bool hasRandomPart(QByteArrayView name);

} // namespace lk
