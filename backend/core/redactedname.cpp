// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/redactedname.h"

#include "backend/core/names/keyname.h"
#include "backend/core/names/namefilter.h"
#include "backend/core/snapshot.h"

#include <QCryptographicHash>
#include <QMessageAuthenticationCode>
#include <QRandomGenerator>

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

constexpr double leastBits = 64; // with fewer a code could be found by trying
constexpr qsizetype mostShown = 4;
constexpr int digestDigits = 8;
const QByteArray ellipsis = QByteArrayLiteral("\xe2\x80\xa6"); // U+2026

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isHexLetter(char c)
{
    return (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// A lower bound of the size of the alphabet that the code uses.
int alphabetOf(QByteArrayView code)
{
    const bool digit = std::any_of(code.begin(), code.end(), isDigit);
    const bool hex = std::any_of(code.begin(), code.end(), isHexLetter);
    const bool letter = std::any_of(code.begin(), code.end(),
                                    [](char c) { return !isDigit(c) && !isHexLetter(c); });
    return letter ? 26 + (digit ? 10 : 0) : (digit ? 10 : 0) + (hex ? 6 : 0);
}

double bitsPerCharacter(QByteArrayView code)
{
    return std::log2(std::max(2, alphabetOf(code)));
}

// True if the part is unlikely to be a word: a long number, hex, or a long mixture with digits.
bool looksLikeCode(QByteArrayView part)
{
    const auto digits = std::count_if(part.begin(), part.end(), isDigit);
    if (digits == 0)
        return false;
    const bool hex =
        std::all_of(part.begin(), part.end(), [](char c) { return isDigit(c) || isHexLetter(c); });
    return part.size() >= (hex ? 6 : 10);
}

qsizetype afterPlainWords(QByteArrayView name)
{
    qsizetype start = 0;
    for (qsizetype i = 0; i < name.size(); ++i) {
        const char c = name[i];
        if (c >= 'a' && c <= 'z')
            continue;
        const bool separates = c == '-' || c == '_' || c == '.' || c == '|' || c == '#' || c == '@';
        if (!separates || i - start < 2)
            break;
        start = i + 1;
    }
    return start;
}

// The part of a short code that is shown, so that users can recognize it. Empty for a number: the
// digits left could be found by trying.
QByteArray beginningOf(QByteArrayView code)
{
    const auto end = std::find_if_not(code.begin(), code.end(), isDigit);
    const bool number = end == code.end() || *end == ':' || *end == '/';
    return number ? QByteArray()
                  : code.first(std::min(mostShown, code.size() * 2 / 3)).toByteArray();
}

// Generated once per process and stored nowhere. Without it codes cannot be tried against the
// digits.
const QByteArray& processKey()
{
    static const QByteArray key = [] {
        QByteArray bytes(32, Qt::Uninitialized);
        QRandomGenerator::system()->generate(bytes.begin(), bytes.end());
        return bytes;
    }();
    return key;
}

QByteArray keyedDigits(const QByteArray& name)
{
    return QMessageAuthenticationCode::hash(name, processKey(), QCryptographicHash::Sha256)
        .toHex()
        .left(digestDigits);
}

QByteArray plainDigits(const QByteArray& name)
{
    return QCryptographicHash::hash(name, QCryptographicHash::Sha256).toHex().left(digestDigits);
}

} // namespace

qsizetype codeStart(const QByteArray& name)
{
    if (!name.contains(':') && !name.contains('/'))
        return afterPlainWords(name);
    const char separator = name.contains(':') ? ':' : '/';
    const qsizetype last = name.lastIndexOf(separator) + 1;
    for (qsizetype from = 0; from < last;) {
        const qsizetype to = name.indexOf(separator, from);
        if (looksLikeCode(QByteArrayView(name).sliced(from, to - from)))
            return from;
        from = to + 1;
    }
    return last;
}

QByteArray maskedToken(const QByteArray& name)
{
    return maskedToken(name, name.left(codeStart(name)));
}

QByteArray maskedToken(const QByteArray& name, const QByteArray& prefix)
{
    const QByteArrayView code = QByteArrayView(name).sliced(std::min(prefix.size(), name.size()));
    if (code.isEmpty())
        return prefix + ellipsis;
    const double bits = bitsPerCharacter(code);
    const auto hidden = qsizetype(std::ceil(leastBits / bits)); // characters, at least
    if (code.size() < hidden)
        return prefix + beginningOf(code) + ellipsis + '~' + keyedDigits(name);
    const qsizetype shown = std::min(mostShown, code.size() - hidden);
    return prefix + code.first(shown).toByteArray() + ellipsis + '#' + plainDigits(name);
}

MaskedName readMasked(const QByteArray& text)
{
    const qsizetype at = text.lastIndexOf(ellipsis);
    const qsizetype mark = at + ellipsis.size();
    if (at < 0 || text.size() != mark + 1 + digestDigits ||
        (text[mark] != '#' && text[mark] != '~'))
        return {};
    const bool hex = std::all_of(text.begin() + mark + 1, text.end(),
                                 [](char c) { return isDigit(c) || (c >= 'a' && c <= 'f'); });
    return hex ? MaskedName{true, text[mark] == '#', text.left(at)} : MaskedName{};
}

Kind nameKind(const Primitive& primitive)
{
    return primitive.openName ? Kind::Pattern : primitive.kind;
}

QByteArray redactedKey(Kind kind, const QByteArray& key)
{
    return kind == Kind::Token ? maskedToken(key) : key;
}

bool isFoundBy(Kind kind, const QByteArray& name, const NameFilter& filter)
{
    if (kind != Kind::Token)
        return filter.fits(name);
    const QByteArray shown = maskedToken(name);
    const QByteArray& typed = filter.typed();
    // A short text does not match the digits: "42" occurs in those of every twentieth token by
    // chance.
    const bool names = typed.size() >= digestDigits || typed.contains('#') || typed.contains('~');
    const MaskedName masked = readMasked(shown);
    if (filter.fits(masked.masked && !names ? masked.beginning + ellipsis : shown))
        return true;
    return typed.size() >= name.size() - codeStart(name) && name.toLower().endsWith(typed);
}

QString shownKey(Kind kind, const QByteArray& key, Codes codes)
{
    return displayName(codes == Codes::Revealed ? key : redactedKey(kind, key));
}

QString exactKey(Kind kind, const QByteArray& key, Codes codes)
{
    return exactName(codes == Codes::Revealed ? key : redactedKey(kind, key));
}

QString shownKey(Kind kind, const QByteArray& key, int maxChars, Codes codes)
{
    return displayPreview(codes == Codes::Revealed ? key : redactedKey(kind, key), maxChars);
}

QString shownName(const Primitive& primitive, Codes codes)
{
    return shownKey(nameKind(primitive), primitive.name(), codes);
}

QString shownName(const Primitive& primitive, int maxChars, Codes codes)
{
    return shownKey(nameKind(primitive), primitive.name(), maxChars, codes);
}

QString shownName(const Primitive& primitive, const QSet<QByteArray>& sharedLabels, Codes codes)
{
    return !primitive.label->isEmpty() && sharedLabels.contains(*primitive.label)
               ? shownKey(primitive.kind, primitive.id.name, codes)
               : shownName(primitive, codes);
}

QString shownName(const Finding& finding, Codes codes)
{
    return shownKey(finding.kind, finding.name, finding.group ? Codes::Revealed : codes);
}

QString shownKey(const Finding& finding, Codes codes)
{
    return shownKey(finding.kind, finding.key, codes);
}

} // namespace lk
