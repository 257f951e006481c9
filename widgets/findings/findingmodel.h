// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/findings/livefindings.h"
#include "widgets/controls/tables/rowmodel.h"
#include "widgets/saving/offthread.h"

namespace lk {

/// A finding in its row.
struct FindingRow
{
    LiveFindingPtr live;
    bool gone = false; ///< no longer seen

    bool operator==(const FindingRow&) const = default;
};

/// The findings that fit the filter, worst first or by a column. Rows keep their identity: the
/// selection stays while others come and go. While held, nothing moves: findings that are gone stay
/// in place, greyed, and new ones come last.
class FindingModel final : public RowModel<FindingRow>
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

    explicit FindingModel(QObject* parent = nullptr);

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

private:
    using Rows = std::vector<FindingRow>;

    Rows wanted() const;
    Rows held(Rows rows) const;
    void arrange(bool moveAll);

    LiveFindingsPtr m_findings;
    Filter m_filter;
    int m_column = -1;
    bool m_descending = false;
    bool m_held = false;
    quint64 m_kept = 0;
};

} // namespace lk
