// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/actions/actiondraft.h"
#include "widgets/controls/tables/flattable.h"
#include "widgets/detail/jobs/jobmodel.h"

namespace lk {

class TableArrangement;

/// The table of a queue's jobs, in which the user chooses jobs to act on. Owns its model.
class JobTable final : public FlatTable
{
    Q_OBJECT

public:
    explicit JobTable(QWidget* parent = nullptr);

    /// See JobModel. Selected jobs stay selected wherever they move, also off screen; a new list
    /// has no selection. list: identifies the list.
    void setJobs(const QByteArray& list, const JobModel::List& how,
                 const std::vector<QueueJob>& jobs, const std::vector<qint64>& places = {});
    void setPage(const QByteArray& list, const JobModel::List& how, qint64 total,
                 const JobPage& page);
    /// Sets the text that is shown without rows.
    void setEmptyText(const QString& text);
    /// False: as high as its rows, within bounds; true: as high as it can be.
    void setFilling(bool filling);
    const JobModel& jobs() const { return *m_model; }
    /// The selected jobs, in no order.
    JobChoice chosen() const;
    /// The job of the current row; null: there is none, or it was not read yet.
    const QueueJob* current() const;
    int firstRowSeen() const;
    int lastRowSeen() const; ///< -1: there are none

signals:
    void chosenChanged();
    void rowsSeenChanged(); ///< others are on screen

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    QItemSelectionModel::SelectionFlags selectionCommand(const QModelIndex& index,
                                                         const QEvent* event) const override;

private:
    struct Chosen
    {
        int count = 0; ///< the number of identical jobs
        QByteArray key;
        QByteArray id; ///< its library's; may be empty
    };

    void beginList(const QByteArray& list, const JobModel::List& how);
    void onSelectionChanged();
    void restoreSelection();
    void showColumns();
    void fitColumns();
    bool fitWidths(int mostChars); ///< the limit for a text beside other columns
    void fitToRows();

    JobModel* m_model;
    TableArrangement* m_arrangement;
    QByteArray m_list;
    JobRole m_role = JobRole::Ready;
    QHash<quint64, Chosen> m_chosen; ///< by fingerprint
    QString m_emptyText;
    int m_rowsSeen = 0;
    int m_spared = 0; ///< columns that the pane has no room for
    bool m_filling = false;
    bool m_wider = false;            ///< than its viewport: there is a bar to scroll by
    bool m_restoring = false;        ///< the table itself changes the selection
    mutable bool m_replaces = false; ///< the new selection replaces the old one
};

} // namespace lk
