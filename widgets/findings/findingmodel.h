// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/findings/livefindings.h"
#include "widgets/saving/offthread.h"

#include <QAbstractTableModel>

namespace lk {

/// The findings that fit the filter, worst first or by a column. Rows keep their identity: the
/// selection stays while others come and go. While held, nothing moves: findings that are gone stay
/// in place, greyed, and new ones come last.
class FindingModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum FindingColumn { SeverityColumn, NameColumn, MessageColumn, CodeColumn, ColumnTotal };

    /// Which findings are shown; empty: all that are not silenced.
    struct Filter
    {
        QString text; ///< part of the name, the key, the code or the message
        std::optional<Finding::Severity> severity;
        bool silenced = false; ///< show findings that the configuration silences, too
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setFindings(const LiveFindingsPtr& findings);
    void setFilter(const Filter& filter);
    /// -1: worst first.
    void setOrder(int column, bool descending);
    void setHeld(bool held);
    /// Keeps a finding in its row when it is gone, until another one is kept. 0: none.
    void keep(quint64 id);

    /// Null beyond the last row.
    LiveFindingPtr findingAt(int row) const;
    bool isGone(int row) const;  ///< no longer seen
    int rowOf(quint64 id) const; ///< -1: not among the rows
    /// One line a row, for the clipboard and files; rows empty: all of them.
    RowsText csv(const std::vector<int>& rows = {}) const;

    /// The counts within the filter's text, without silenced ones. Index: Finding::Severity.
    std::array<qint64, 3> counts() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row
    {
        LiveFindingPtr live; ///< null only while rows are being moved
        bool gone = false;

        bool operator==(const Row&) const = default;
    };
    using Rows = std::vector<Row>;

    Rows wanted() const;
    Rows held(Rows rows) const;
    void arrange(bool moveAll);
    void take(Rows rows);
    void reorder(Rows rows);

    LiveFindingsPtr m_findings;
    Rows m_rows;
    Filter m_filter;
    int m_column = -1;
    bool m_descending = false;
    bool m_held = false;
    quint64 m_kept = 0;
};

} // namespace lk
