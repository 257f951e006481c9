// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"
#include "widgets/controls/tables/rowmodel.h"

#include <QWidget>

class QLabel;

namespace lk {

class RowsTable;

/// A worker, and how long ago it was seen.
struct WorkerRow
{
    QueueWorker worker;
    QString seen;

    bool operator==(const WorkerRow&) const = default;
};

/// The workers of a queue, as its library reports them: host, process, last heartbeat, jobs. Says
/// in words if there are none.
class WorkerList final : public QWidget
{
    Q_OBJECT

public:
    explicit WorkerList(QWidget* parent = nullptr);

    /// Returns true if there is anything to show.
    static bool says(const QueueState& queue);
    void setQueue(const QueueState& queue, qint64 nowMs);

private:
    QLabel* m_summary;
    RowModel<WorkerRow>* m_model;
    RowsTable* m_table;
};

} // namespace lk
