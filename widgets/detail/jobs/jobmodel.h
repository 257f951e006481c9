// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

#include <QAbstractTableModel>
#include <QHash>

namespace lk {

/// The jobs of one state of a queue, of which only what is on screen and around it is known: a row
/// for each job there is, a dash where it has not been read yet. The time is what the state is
/// about: waiting or in progress for, due in, failed or finished ago.
class JobModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    /// Columns from left to right.
    enum JobColumn {
        NumberColumn,
        IdColumn,
        NameColumn,
        TimeColumn,
        WorkerColumn,
        AttemptsColumn,
        SizeColumn,
        PayloadColumn,
        ErrorColumn,
        ColumnTotal
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// Where a list of jobs comes from and how it is read.
    struct List
    {
        JobRole role = JobRole::Ready;
        qint64 nowMs = 0; ///< server time, from which ages are counted
        qint64 stuckAfterMs = 0;
        bool stuckByLibrary = false; ///< a lease that is gone means stuck, not an age
    };

    /// All of them; places: where each stands in its state; empty: in this order from 0.
    void setJobs(const List& list, const std::vector<QueueJob>& jobs,
                 const std::vector<qint64>& places = {});
    /// So many there are, of which those of the page were read. What was known of the rest stays
    /// unless the page shows that jobs have moved.
    void setPage(const List& list, qint64 total, const JobPage& page);

    /// Null: not read yet.
    const QueueJob* job(int row) const;
    /// Where it stands in its state, from 0.
    qint64 place(int row) const;
    /// The first row from there to the last one that was not read yet; -1: all were.
    int firstUnread(int first, int last) const;
    int readRows() const { return int(m_jobs.size()); }
    /// Rows that were read, in no order.
    std::vector<int> rowsRead() const;
    /// Whether any job that was read has something to say there.
    bool says(JobColumn column) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void setList(const List& list);
    void setRowTotal(int rows);
    bool isStuck(const QueueJob& job) const;
    std::optional<qint64> sinceMs(const QueueJob& job) const;
    QString timeText(const QueueJob& job) const;
    QString text(const QueueJob& job, int column) const;
    QString toolTip(const QueueJob& job, int column) const;

    List m_list;
    QHash<int, QueueJob> m_jobs; ///< by row
    std::vector<qint64> m_places;
    int m_rows = 0;
};

} // namespace lk
