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

// The key name of a one-time token is enough to redeem it. So such a name is masked wherever the
// program shows or writes it, unless the user has asked for the full name.

/// Whether token codes are shown in full.
enum class Codes : quint8 { Masked, Revealed };

/// Returns a token's name with its code masked: "code:h7Jk…#1a2b3c4d". At most the first four
/// characters of the code stay, as long as at least 64 bits of it are hidden. The digits are the
/// first 8 of the SHA-256 of the whole name. A user who has the code can find the token by them; to
/// others they are of no use. A code of less than 64 bits could be found by trying. So none of it
/// stays if it is all digits, and else at most two thirds of it. Its digits come from a hash with a
/// random key that lasts as long as this process: "code:c17b…~5e6f7a8b". They distinguish two
/// tokens within one output and change in the next process. The code begins after the prefix.
/// Without a prefix it begins after the last ":", or after the last "/" if there is no ":", or
/// earlier if an earlier part already looks like a code. If the name contains neither, the code
/// begins after the plain lower-case words at its start ("reset-", "invite_code."), because "-",
/// "_" and "." occur in codes, too.
QByteArray maskedToken(const QByteArray& name);
QByteArray maskedToken(const QByteArray& name, const QByteArray& prefix);

/// The index at which the code in a token's name begins, by the same rule; 0: the whole name is
/// code.
qsizetype codeStart(const QByteArray& name);

/// A text parsed as a result of maskedToken(). If masked is false, beginning is empty. Digits after
/// "~" are meaningless in another process.
struct MaskedName
{
    bool masked = false;
    bool lasting = false; ///< the digits are the same in every process
    QByteArray beginning; ///< the part before the ellipsis; the real name begins with it
};
MaskedName readMasked(const QByteArray& text);

/// The kind whose rule masks the names of the primitive's keys. For a token whose code is its
/// value, a kind that masks nothing.
Kind nameKind(const Primitive& primitive);

/// A key of a primitive of that kind, safe to show: masked for a token, unchanged for other kinds.
QByteArray redactedKey(Kind kind, const QByteArray& key);

/// Whether a filter matches the name. A part of a token's name matches only the shown text, else
/// the code could be found letter by letter. The whole code matches as well.
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
/// The subject of a finding: the primitive's name, or a pattern over several names, which contains
/// no code.
QString shownName(const Finding& finding, Codes codes = Codes::Masked);
QString shownKey(const Finding& finding, Codes codes = Codes::Masked);

} // namespace lk
