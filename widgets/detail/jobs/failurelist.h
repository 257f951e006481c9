// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

#include <QWidget>

class QLabel;

namespace lk {

class RowsTable;

/// The failed jobs of a queue by their errors and names, of as many as were looked at.
class FailureList final : public QWidget
{
    Q_OBJECT

public:
    explicit FailureList(QWidget* parent = nullptr);

    void setQueue(const QueueState& queue, qint64 nowMs);

signals:
    /// A group was opened: what its jobs are found by.
    void wanted(const QString& text);

private:
    std::vector<FailureGroup> m_groups; ///< as they are shown
    QLabel* m_summary;
    RowsTable* m_table;
};

} // namespace lk
