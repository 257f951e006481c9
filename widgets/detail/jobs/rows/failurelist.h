// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"
#include "widgets/actions/actiondraft.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace lk {

class RowsTable;

/// The failed jobs of a queue by their errors and names, of as many as were looked at.
class FailureList final : public QWidget
{
    Q_OBJECT

public:
    explicit FailureList(QWidget* parent = nullptr);

    void setQueue(const QueueState& queue, qint64 nowMs);

    /// What retries jobs; why it cannot be done, empty: it can. Null: nothing does.
    void setRetry(const Action* action, const QString& whyNot);

signals:
    /// To the jobs of that group.
    void actionWanted(const lk::Action* action, const lk::JobChoice& jobs);
    /// A group was opened: what its jobs are found by.
    void wanted(const QString& text);

private:
    const FailureGroup* current() const;
    void updateRetry();
    void retry();

    std::vector<FailureGroup> m_groups; ///< as they are shown
    QLabel* m_summary;
    QToolButton* m_retry;
    RowsTable* m_table;
    const Action* m_action = nullptr; ///< that retries
    QString m_whyNot;
};

} // namespace lk
