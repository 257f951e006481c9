// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

#include <QWidget>

class QLabel;

namespace lk {

class RowsTable;

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
    RowsTable* m_table;
};

} // namespace lk
