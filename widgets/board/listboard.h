// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/board/board.h"
#include "widgets/controls/emptystate.h"
#include "widgets/controls/tables/flattable.h"
#include "widgets/controls/tables/tablearrangement.h"
#include "widgets/saving/offthread.h"

class QStackedLayout;

namespace lk {

class PaneSplitter;

/// A board with a table, or what stands instead of it, and beside it a pane that shows the selected
/// row.
class ListBoard : public Board
{
    Q_OBJECT

public:
    using Board::Board;

    QTableView* table() const { return m_table; } ///< null before the board is built
    void copySelection();

protected:
    /// The parts around the table.
    struct Parts
    {
        QWidget* bar;  ///< the filter, and what stands at its right
        QWidget* head; ///< between the bar and the table; may be null
        QWidget* foot; ///< below the table; may be null
        QWidget* pane;
        int tableSize; ///< pixels, until the user moves the splitter
        int paneSize;
    };

    /// For build(). objectName, columnIds: for settings and tests.
    void makeTable(QAbstractItemModel* model, const QString& objectName, const QString& title,
                   const QStringList& columnIds);
    void layOut(const Parts& parts);
    /// The table has rows, or the empty state stands in its place.
    void showTable(bool hasRows);
    /// Calls fitColumns() when the room changes.
    virtual void fitColumns() {}
    /// Returns what makes the text of those rows, a line for each.
    virtual RowsText csvOf(const std::vector<int>& rows) const = 0;

    QVariantMap arrangement() const override;
    void arrange(const QVariantMap& state) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

    FlatTable* m_table = nullptr;
    TableArrangement* m_arrangement = nullptr;
    EmptyState* m_empty = nullptr;
    PaneSplitter* m_splitter = nullptr;
    bool m_restoring = false; ///< the program selects, not the user

private:
    QStackedLayout* m_stack = nullptr;
};

} // namespace lk
