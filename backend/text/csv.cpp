// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/csv.h"

#include <algorithm>

namespace lk {

namespace {

// A spreadsheet treats a cell that begins with one of these as a formula.
QString withoutFormula(QString text)
{
    static const QString formula = QStringLiteral("=+-@\t\r");
    if (!text.isEmpty() && formula.contains(text.front()))
        text.prepend(QLatin1Char('\''));
    return text;
}

QString inQuotes(QString text)
{
    return QLatin1Char('"') + text.replace(QLatin1Char('"'), QStringLiteral("\"\"")) +
           QLatin1Char('"');
}

} // namespace

QString csvCell(const QString& text)
{
    static const QString special = QStringLiteral(",\"\n\r");
    const QString cell = withoutFormula(text);
    const bool quoted =
        std::any_of(cell.cbegin(), cell.cend(), [](QChar c) { return special.contains(c); });
    return quoted ? inQuotes(cell) : cell;
}

QString quotedCsvCell(const QString& text)
{
    return inQuotes(withoutFormula(text));
}

QString csvLine(const QStringList& cells)
{
    QStringList safe;
    for (const QString& cell : cells)
        safe << csvCell(cell);
    return safe.join(QLatin1Char(',')) + QLatin1Char('\n');
}

} // namespace lk
