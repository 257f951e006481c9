// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include <vector>

namespace lk {

/// Returns the text as a CSV cell, quoted if needed. The cell is never a formula that a spreadsheet
/// would run.
QString csvCell(const QString& text);
/// The same, always quoted, for uniform columns of free text.
QString quotedCsvCell(const QString& text);
/// A line of such cells, with its end.
QString csvLine(const QStringList& cells);

/// A line for each row, under the line of titles.
template<typename Row>
QString csvText(const QString& titles, const std::vector<Row>& rows,
                QStringList (*cells)(const Row&))
{
    QString text = titles + QLatin1Char('\n');
    for (const Row& row : rows)
        text += csvLine(cells(row));
    return text;
}

} // namespace lk
