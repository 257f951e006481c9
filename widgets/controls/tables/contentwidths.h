// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <vector>

namespace lk {

class FlatTable;
class TableArrangement;

/// Makes the columns of a small table as wide as their contents, so that nothing is cut. One column
/// takes the remaining room. If there is too little room, the table scrolls sideways. Widths only
/// grow, so that columns do not twitch with their numbers. GUI thread; child of the table.
class ContentWidths final : public QObject
{
    Q_OBJECT

public:
    /// filling: the column that takes the remaining room. The table has its model. arrangement: of
    /// the table; columns that the user has resized keep their width.
    ContentWidths(FlatTable* table, int filling, TableArrangement* arrangement);

    /// Call it after rows have come or changed. rows: how many rows are visible without scrolling.
    void fit(int rows);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void share();

    FlatTable* m_table;
    TableArrangement* m_arrangement;
    const int m_filling;
    int m_rows = 1;
    std::vector<int> m_widths; ///< by column
};

} // namespace lk
