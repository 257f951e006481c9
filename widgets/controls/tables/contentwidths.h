// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <vector>

class QTableView;

namespace lk {

class TableArrangement;

/// Makes the columns of a small table as wide as what they hold, so that nothing of it is cut; one
/// takes the room that is left. Where there is too little of it, the table scrolls sideways. Widths
/// only grow, lest columns twitch with their numbers. GUI thread; child of the table.
class ContentWidths final : public QObject
{
    Q_OBJECT

public:
    /// filling: the column that takes what is left. The table has its model. arrangement: of the
    /// table; what a person set by hand keeps its width.
    ContentWidths(QTableView* table, int filling, TableArrangement* arrangement);

    /// Once rows have come or changed. rows: so many are to be seen without scrolling.
    void fit(int rows);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    int widthOf(int column) const;
    void share();

    QTableView* m_table;
    TableArrangement* m_arrangement;
    const int m_filling;
    int m_rows = 1;
    std::vector<int> m_widths; ///< by column
};

} // namespace lk
