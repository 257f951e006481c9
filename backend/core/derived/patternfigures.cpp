// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/derived/patternfigures.h"

#include <algorithm>
#include <cmath>

namespace lk {

const std::pair<QByteArray, double>* mainValue(const PatternState& pattern)
{
    const auto known = std::find_if(pattern.values.begin(), pattern.values.end(),
                                    [](const auto& v) { return !std::isnan(v.second); });
    if (known == pattern.values.end())
        return nullptr;
    const bool main = known == pattern.values.begin() || known->first == "bytes";
    return main ? &*known : nullptr;
}

std::optional<double> valueOf(const PatternState& pattern, QByteArrayView id)
{
    for (const auto& [name, value] : pattern.values) {
        if (name == id && !std::isnan(value))
            return value;
    }
    return std::nullopt;
}

std::optional<double> mainNumber(const PatternState& pattern)
{
    const auto* value = mainValue(pattern);
    return value ? std::optional(value->second) : std::nullopt;
}

bool isCounter(const PatternState& pattern)
{
    return pattern.rowsAre == PatternState::Rows::None && pattern.values.size() == 1 &&
           pattern.values.front().first == "value";
}

QByteArray idsOfLastName(size_t keys)
{
    return "last_" + QByteArray::number(qulonglong(keys));
}

std::optional<IdRange> idsOfLast(const PatternState& pattern, int keys)
{
    if (pattern.rowsAre != PatternState::Rows::Counts || pattern.rows.empty())
        return std::nullopt;
    IdRange range;
    for (auto row = pattern.rows.rbegin(); row != pattern.rows.rend() && range.keys < keys; ++row) {
        if (!row->value)
            return std::nullopt;
        range.atLeast = std::max(range.atLeast, *row->value);
        range.atMost += *row->value;
        ++range.keys;
    }
    if (const auto exact = valueOf(pattern, idsOfLastName(size_t(range.keys))))
        range.atLeast = range.atMost = *exact;
    return range;
}

} // namespace lk
