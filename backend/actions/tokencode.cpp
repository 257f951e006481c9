// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/actions/tokencode.h"

#include "backend/actions/action.h"

#include <QCryptographicHash>
#include <QRandomGenerator>
#include <QSet>

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

constexpr double leastBits = 64; // with fewer a code could be found by trying

// Of how many characters it is made, at least.
int alphabetOf(const QByteArray& code)
{
    bool digit = false;
    bool hex = false;
    bool letter = false;
    for (const char c : code) {
        const bool isDigit = c >= '0' && c <= '9';
        const bool isHex = (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
        digit |= isDigit;
        hex |= isHex;
        letter |= !isDigit && !isHex;
    }
    return letter ? 26 + (digit ? 10 : 0) : (digit ? 10 : 0) + (hex ? 6 : 0);
}

} // namespace

const QByteArray codeAlphabet =
    QByteArrayLiteral("23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ");

Result<QByteArray> randomCode(qint64 length, const QByteArray& alphabet)
{
    constexpr qint64 longest = 512;
    const QSet<char> different(alphabet.begin(), alphabet.end());
    if (different.size() < 2 || different.size() != alphabet.size())
        return failure(ErrorCode::BadArgument,
                       ActionText::tr("The alphabet needs at least two characters, each once"));
    if (length > longest)
        return failure(ErrorCode::BadArgument,
                       ActionText::tr("A code of %1 characters is too long: take at most %2")
                           .arg(length)
                           .arg(longest));
    if (double(length) * std::log2(double(alphabet.size())) < leastBits)
        return failure(
            ErrorCode::BadArgument,
            ActionText::tr("A code of %1 characters out of %2 could be guessed: take at least %3")
                .arg(length)
                .arg(alphabet.size())
                .arg(std::ceil(leastBits / std::log2(double(alphabet.size())))));
    QByteArray code;
    for (qint64 i = 0; i < length; ++i)
        code += alphabet[QRandomGenerator::system()->bounded(int(alphabet.size()))];
    return code;
}

QByteArray maskedToken(const QByteArray& name)
{
    const qsizetype colon = name.lastIndexOf(':');
    return maskedToken(name, name.left((colon >= 0 ? colon : name.lastIndexOf('/')) + 1));
}

QByteArray maskedToken(const QByteArray& name, const QByteArray& prefix)
{
    const QByteArray code = name.mid(prefix.size());
    const QByteArray masked = prefix + QByteArrayLiteral("•••");
    if (code.isEmpty() || double(code.size()) * std::log2(alphabetOf(code)) < leastBits)
        return masked;
    return masked + '#'
           + QCryptographicHash::hash(name, QCryptographicHash::Sha256).toHex().left(8);
}

} // namespace lk
