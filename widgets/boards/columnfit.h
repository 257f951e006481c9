// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/text/columns/column.h"

#include <QObject>

class QTableView;

namespace lk {

class TableArrangement;

/// Sets the widths of a board's columns from the contents of the rows on screen. If they do not
/// fit, durations take their shorter form and names and texts become narrower, down to a readable
/// width. Then the less important columns go into a second line of each row, below the name
/// (CellDelegate draws it). If that is still too wide, the table scrolls sideways. No number is
/// cut.
class ColumnFit final : public QObject
{
    Q_OBJECT

public:
    /// table: it has its model. arrangement: its columns that were set by hand keep their widths.
    ColumnFit(Kind kind, QTableView* table, TableArrangement* arrangement);

    void fit();
    /// The rows have changed: forgets the widths of the old ones.
    void forget();
    /// Returns the width that the table needs to show every column at its best width.
    int wanted() const;

signals:
    void wantedChanged();

private:
    struct Width
    {
        int most = 0;  ///< the width for the rows that were on screen, in full
        int least = 0; ///< the same in its shortest form
    };
    Width measured(int column, int firstRow, int lastRow) const;
    int room() const;
    int fold(int least);

    Kind m_kind;
    QTableView* m_table;
    TableArrangement* m_arrangement;
    std::vector<Width> m_widths; ///< grow until forget(): columns do not twitch with their numbers
    int m_wanted = 0;
    bool m_fitting = false;
};

} // namespace lk
