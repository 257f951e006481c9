// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/kind.h"

#include <QByteArray>
#include <QSet>
#include <QString>

namespace lk {

class NameFilter;
struct Finding;
struct Primitive;

// Whoever reads a one-time token's key name can redeem it. So no such name leaves the program as it
// is, on any way to a person or a file, unless a person has asked for just that.

/// Whether token codes are told in full.
enum class Codes : quint8 { Masked, Revealed };

/// A token's name with its code left out: "code:h7Jk…#1a2b3c4d". The first characters of the code,
/// at most four, stay as long as 64 bits or more of it are hidden. Whoever has the code finds it
/// again by the digits, the first 8 of the SHA-256 of the whole name; for others they are of no
/// use. A code of less than 64 bits could be found by trying: of one that is digits alone nothing
/// stays, of another at most two thirds, and its digits are those of a hash with a key that this
/// process makes up and forgets: "code:c17b…~5e6f7a8b". They tell two tokens from one another in
/// one output, and are others in the next. The code begins after the prefix. Where none is given:
/// after the last ":", or the last "/" if there is no ":"; before that where a part already looks
/// like a code. Where there is neither, after the plain lower-case words that the name begins with
/// ("reset-", "invite_code."): "-", "_" and "." occur in codes, too.
QByteArray maskedToken(const QByteArray& name);
QByteArray maskedToken(const QByteArray& name, const QByteArray& prefix);

/// Where the code of a token's name begins, by the same rule; 0: nothing stands before it.
qsizetype codeStart(const QByteArray& name);

/// Whether it is what maskedToken() makes: then its beginning, which the real name has, too; else
/// empty. What ends with digits of "~" names nothing in another process.
struct MaskedName
{
    bool masked = false;
    bool lasting = false; ///< the digits are the same in every process
    QByteArray beginning; ///< of the real name
};
MaskedName readMasked(const QByteArray& text);

/// The kind by whose rule the names of its keys are masked: of a token whose code is its value one
/// that hides none.
Kind nameKind(const Primitive& primitive);

/// A key of a primitive of that kind as it may be told: a token's masked, any other as it is.
QByteArray redactedKey(Kind kind, const QByteArray& key);

/// Whether a filter finds it. Of a token only what is shown is found by a part of it,
/// else its code could be found letter by letter; who has the whole code finds it by that.
bool isFoundBy(Kind kind, const QByteArray& name, const NameFilter& filter);

/// The same as text, escaped as by displayName().
QString shownKey(Kind kind, const QByteArray& key, Codes codes = Codes::Masked);
/// The same, always whole: for files, commands and clipboards.
QString exactKey(Kind kind, const QByteArray& key, Codes codes = Codes::Masked);
/// At most maxChars characters of it, an ellipsis at the end where it was cut.
QString shownKey(Kind kind, const QByteArray& key, int maxChars, Codes codes = Codes::Masked);
/// A primitive's name.
QString shownName(const Primitive& primitive, Codes codes = Codes::Masked);
QString shownName(const Primitive& primitive, int maxChars, Codes codes = Codes::Masked);
/// The same beside others: with its prefix where its label is one that several have.
QString shownName(const Primitive& primitive, const QSet<QByteArray>& sharedLabels,
                  Codes codes = Codes::Masked);
/// What a finding concerns: the primitive's name, or the pattern of several, which holds no code.
QString shownName(const Finding& finding, Codes codes = Codes::Masked);
QString shownKey(const Finding& finding, Codes codes = Codes::Masked);

} // namespace lk
