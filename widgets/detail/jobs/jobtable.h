// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/actions/actiondraft.h"
#include "widgets/controls/tables/flattable.h"
#include "widgets/detail/jobs/jobmodel.h"

namespace lk {

class TableArrangement;

/// The table of a queue's jobs, of which a person may choose some to act on; owns its model.
/// Belongs to the JobPanel.
class JobTable final : public FlatTable
{
    Q_OBJECT

public:
    explicit JobTable(QWidget* parent = nullptr);

    /// As JobModel has them. What is selected stays selected wherever it stands now, also where it
    /// is off screen; of another list nothing does. list: tells one list from another.
    void setJobs(const QByteArray& list, const JobModel::List& how,
                 const std::vector<QueueJob>& jobs, const std::vector<qint64>& places = {});
    void setPage(const QByteArray& list, const JobModel::List& how, qint64 total,
                 const JobPage& page);
    /// What stands where there are no rows.
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
        int count = 0; ///< of jobs that are alike
        QByteArray key;
        QByteArray id; ///< its library's; may be empty
    };

    void beginList(const QByteArray& list, const JobModel::List& how);
    void onSelectionChanged();
    void restoreSelection();
    void showColumns();
    void fitColumns();
    bool fitWidths(int mostChars); ///< of a text beside others
    void fitHeight();

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
    bool m_restoring = false;        ///< the table selects, nobody else
    mutable bool m_replaces = false; ///< what is being selected takes the place of all else
};

} // namespace lk
