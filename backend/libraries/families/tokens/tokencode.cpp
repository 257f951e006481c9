// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/tokens/tokencode.h"

#include "backend/libraries/api/action.h"

#include <QRandomGenerator>
#include <QSet>

#include <cmath>

namespace lk {

namespace {

constexpr double leastBits = 64; // bits; fewer could be guessed

} // namespace

const QByteArray codeAlphabet =
    QByteArrayLiteral("23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ");

Result<QByteArray> randomCode(qint64 length, const QByteArray& alphabet)
{
    constexpr qint64 longest = 512;
    const QSet<char> different(alphabet.begin(), alphabet.end());
    if (different.size() < 2 || different.size() != alphabet.size())
        return failure(ErrorCode::BadArgument,
                       ActionText::tr("The alphabet needs at least two different characters"));
    if (length > longest)
        return failure(
            ErrorCode::BadArgument,
            ActionText::tr("%1 characters are too many: use at most %2").arg(length).arg(longest));
    if (double(length) * std::log2(double(alphabet.size())) < leastBits)
        return failure(
            ErrorCode::BadArgument,
            ActionText::tr("A code of %1 characters out of %2 can be guessed: use at least %3")
                .arg(length)
                .arg(alphabet.size())
                .arg(std::ceil(leastBits / std::log2(double(alphabet.size())))));
    QByteArray code;
    for (qint64 i = 0; i < length; ++i)
        code += alphabet[QRandomGenerator::system()->bounded(int(alphabet.size()))];
    return code;
}

} // namespace lk
