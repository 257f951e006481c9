// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/text/columns/column.h"

#include <QObject>

class QTableView;

namespace lk {

class TableArrangement;

/// Gives the columns of a board's table their widths by what the rows on screen hold. Where all of
/// it does not fit, durations take their shorter form and names and texts become narrower, down to
/// what can still be read; then the less important columns go into a second line of each row, below
/// the name (CellDelegate draws it); what is left is for the horizontal scroll bar. No number is
/// cut.
class ColumnFit final : public QObject
{
    Q_OBJECT

public:
    /// table: it has its model. arrangement: its columns that were set by hand keep their widths.
    ColumnFit(Kind kind, QTableView* table, TableArrangement* arrangement);

    void fit();
    /// Other rows than before: forget how wide those were.
    void forget();
    /// What the table takes where nothing has to be narrower than it is read best.
    int wanted() const;

signals:
    void wantedChanged();

private:
    struct Width
    {
        int most = 0;  ///< of what was on screen, in full
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
