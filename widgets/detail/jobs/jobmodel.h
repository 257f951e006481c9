// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"
#include "widgets/controls/tables/rowmodel.h"

namespace lk {

/// The jobs of one state of a queue. Only jobs on screen and around it are read: the model has a
/// row for each job, with a dash if it was not read yet. The time depends on the state: waiting or
/// in progress for, due in, failed or finished ago.
class JobModel final : public ColumnModel<QueueJob>
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

    explicit JobModel(QObject* parent = nullptr);

    /// Where a list of jobs comes from and how it is read.
    struct List
    {
        JobRole role = JobRole::Ready;
        qint64 nowMs = 0; ///< server time, from which ages are counted
        qint64 stuckAfterMs = 0;
        bool stuckByLibrary = false; ///< a job without a lease is stuck, whatever its age
    };

    /// Sets all jobs. places: where each stands in its state; empty: in this order from 0.
    void setJobs(const List& list, const std::vector<QueueJob>& jobs,
                 const std::vector<qint64>& places = {});
    /// Sets the number of all jobs and the page that was read. Other jobs that were read stay
    /// unless the page shows that jobs have moved.
    void setPage(const List& list, qint64 total, const JobPage& page);

    const QueueJob* at(int row) const override;
    /// Returns the job's place in its state, from 0.
    qint64 place(int row) const;
    /// Returns the first row from first to last that was not read yet. -1 if all were.
    int firstUnread(int first, int last) const;
    int readRows() const { return int(m_jobs.size()); }
    /// Returns the rows that were read, in no order.
    std::vector<int> rowsRead() const;
    /// Returns true if any job that was read has a value in that column.
    bool says(JobColumn column) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    void setList(const List& list);
    void setRowTotal(int rows);
    bool isStuck(const QueueJob& job) const;
    std::optional<qint64> sinceMs(const QueueJob& job) const;
    RowColumns<QueueJob> columnsOf(JobRole role) const;
    QString timeText(const QueueJob& job) const;
    QString timeTip(const QueueJob& job) const;

    List m_list;
    QHash<int, QueueJob> m_jobs; ///< by row
    std::vector<qint64> m_places;
    int m_rows = 0;
};

} // namespace lk
