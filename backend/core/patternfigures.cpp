// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/patternfigures.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::Pattern)
};

// The first number is the layout's main one; an array of unknown record size has its bytes only.
const std::pair<QByteArray, double>* mainValue(const PatternState& pattern)
{
    const auto known = std::find_if(pattern.values.begin(), pattern.values.end(),
                                    [](const auto& v) { return !std::isnan(v.second); });
    if (known == pattern.values.end())
        return nullptr;
    const bool main = known == pattern.values.begin() || known->first == "bytes";
    return main ? &*known : nullptr;
}

// A translator's own language may have more forms than these two.
QString unitOf(const QByteArray& id, PatternState::Rows rows, bool one)
{
    using Rows = PatternState::Rows;
    switch (rows) {
    case Rows::Trail:
        return one ? Text::tr("page") : Text::tr("pages");
    case Rows::Results:
        return one ? Text::tr("item") : Text::tr("items");
    case Rows::Counts:
        return one ? Text::tr("user") : Text::tr("users");
    case Rows::Rotation:
    case Rows::Weights:
        return one ? Text::tr("member") : Text::tr("members");
    case Rows::Records:
        return one ? Text::tr("record") : Text::tr("records");
    case Rows::None:
        break;
    }
    if (id == "value")
        return {};
    return id == "bytes" ? (one ? Text::tr("byte") : Text::tr("bytes")) : QString::fromLatin1(id);
}

} // namespace

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

QString mainUnit(const PatternState& pattern)
{
    const auto* value = mainValue(pattern);
    if (!value)
        return unitOf(pattern.values.empty() ? QByteArray() : pattern.values.front().first,
                      pattern.rowsAre, false);
    return unitOf(value->first, pattern.rowsAre, value->second == 1);
}

QString figureText(double number)
{
    constexpr double finest = 1000; // three decimals: more is what adding up left behind
    const double rounded = std::round(number * finest) / finest;
    if (rounded == 0 && number != 0)
        return QLocale().toString(number, 'g', 3);
    return QLocale().toString(rounded, 'f', QLocale::FloatingPointShortest);
}

QString mainText(const PatternState& pattern)
{
    const auto number = mainNumber(pattern);
    if (!number)
        return QStringLiteral("\u2013");
    const QString text = figureText(*number);
    const QString unit = mainUnit(pattern);
    return unit.isEmpty() ? text : QStringLiteral("%1 %2").arg(text, unit);
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
