// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/jobs.h"
#include "widgets/controls/tables/rowmodel.h"

#include <QHash>
#include <QWidget>

class QLabel;

namespace lk {

class RowsTable;

/// A linked job, and the display name of its queue.
struct JobLinkRow
{
    JobLink link;
    QByteArray queue;

    bool operator==(const JobLinkRow&) const = default;
};

/// The other jobs that one has to do with: its parent and children, those before and after it. A
/// row opens on Return or a double click.
class JobLinks final : public QWidget
{
    Q_OBJECT

public:
    explicit JobLinks(QWidget* parent = nullptr);

    /// leftOut: the number of further links that were not read. names: the display names of the
    /// queues.
    void setLinks(const std::vector<JobLink>& links, qint64 leftOut,
                  const QHash<QByteArray, QByteArray>& names);
    bool isEmpty() const { return m_model->rowCount() == 0 && m_leftOut == 0; }

signals:
    void opened(const lk::JobLink& link);

private:
    qint64 m_leftOut = 0;
    RowModel<JobLinkRow>* m_model;
    RowsTable* m_table;
    QLabel* m_more;
};

} // namespace lk
