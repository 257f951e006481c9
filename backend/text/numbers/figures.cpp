// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/numbers/figures.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>

namespace lk {

namespace {

struct FiguresText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Pattern)
};

// A translator's own language may have more forms than these two.
QString unitOf(const QByteArray& id, PatternState::Rows rows, bool one)
{
    using Rows = PatternState::Rows;
    switch (rows) {
    case Rows::Trail:
        return one ? FiguresText::tr("page") : FiguresText::tr("pages");
    case Rows::Results:
        return one ? FiguresText::tr("item") : FiguresText::tr("items");
    case Rows::Counts:
        return one ? FiguresText::tr("user") : FiguresText::tr("users");
    case Rows::Rotation:
    case Rows::Weights:
        return one ? FiguresText::tr("member") : FiguresText::tr("members");
    case Rows::Records:
        return one ? FiguresText::tr("record") : FiguresText::tr("records");
    case Rows::None:
        break;
    }
    if (id == "value")
        return {};
    return id == "bytes" ? (one ? FiguresText::tr("byte") : FiguresText::tr("bytes"))
                         : QString::fromLatin1(id);
}

} // namespace

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
    constexpr double finest = 1000; // three decimals: further ones are rounding errors of sums
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

} // namespace lk
