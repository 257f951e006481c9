// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/detect/periodname.h"

#include <string_view>

namespace lk {

namespace {

bool periodNameIsDigit(char c)
{
    return c >= '0' && c <= '9';
}

// The number of that many digits at a position, or -1.
int numberAt(const QByteArray& name, qsizetype at, int digits)
{
    if (at + digits > name.size())
        return -1;
    int number = 0;
    for (int i = 0; i < digits; ++i) {
        if (!periodNameIsDigit(name[at + i]))
            return -1;
        number = number * 10 + (name[at + i] - '0');
    }
    return number;
}

bool isBetween(int number, int lowest, int highest)
{
    return number >= lowest && number <= highest;
}

// The end of the date that starts at a position, including its hour; -1 if there is none.
qsizetype periodEnd(const QByteArray& name, qsizetype at, bool* hour)
{
    constexpr std::string_view separators = "-:/._";
    if (!isBetween(numberAt(name, at, 4), 2000, 2099))
        return -1;
    qsizetype next = at + 4;
    const bool apart = next < name.size() && separators.find(name[next]) != std::string_view::npos;
    const char separator = apart ? name[next] : '\0';
    for (const int highest : {12, 31}) {
        if (apart && (next >= name.size() || name[next++] != separator))
            return -1;
        if (!isBetween(numberAt(name, next, 2), 1, highest))
            return -1;
        next += 2;
    }
    const bool hourApart =
        next < name.size() &&
        (name[next] == 'T' || separators.find(name[next]) != std::string_view::npos);
    const qsizetype hourAt = next + (hourApart ? 1 : 0);
    *hour = (hourApart || !apart) && isBetween(numberAt(name, hourAt, 2), 0, 23) &&
            (hourAt + 2 == name.size() || !periodNameIsDigit(name[hourAt + 2]));
    if (*hour)
        next = hourAt + 2;
    return next < name.size() && periodNameIsDigit(name[next]) ? -1 : next;
}

} // namespace

QByteArray periodForm(const QByteArray& name)
{
    for (qsizetype at = 0; at + 8 <= name.size(); ++at) {
        bool hour = false;
        if (!periodNameIsDigit(name[at]) || (at > 0 && periodNameIsDigit(name[at - 1])))
            continue;
        const qsizetype end = periodEnd(name, at, &hour);
        if (end < 0)
            continue;
        // In the order of the digits: year, month, day, hour.
        constexpr std::string_view letters = "YYYYMMDDHH";
        QByteArray form = name;
        size_t letter = 0;
        for (qsizetype i = at; i < end; ++i) {
            if (periodNameIsDigit(name[i]))
                form[i] = letters[letter++];
        }
        return form;
    }
    return {};
}

} // namespace lk
