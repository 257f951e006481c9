// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

#include <algorithm>

namespace lk {

// ASCII, whatever the locale is.
constexpr bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}
constexpr bool isLower(char c)
{
    return c >= 'a' && c <= 'z';
}
constexpr bool isUpper(char c)
{
    return c >= 'A' && c <= 'Z';
}
constexpr bool isLetter(char c)
{
    return isLower(c) || isUpper(c);
}

template<typename Is> bool anyIs(QByteArrayView text, Is is)
{
    return std::any_of(text.begin(), text.end(), is);
}
/// True of an empty text.
template<typename Is> bool allAre(QByteArrayView text, Is is)
{
    return std::all_of(text.begin(), text.end(), is);
}

} // namespace lk
