// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"
#include "widgets/actions/actiondraft.h"
#include "widgets/controls/tables/rowmodel.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace lk {

class RowsTable;

/// A group of failures, and how long ago the last one was.
struct FailureRow
{
    FailureGroup group;
    QString seen;

    bool operator==(const FailureRow&) const = default;
};

/// The failed jobs of a queue by their errors and names: of the newest that came with its state
/// until all of them are counted.
class FailureList final : public QWidget
{
    Q_OBJECT

public:
    explicit FailureList(QWidget* parent = nullptr);

    /// counted: of the same queue, or null.
    void setQueue(const QueueState& queue, const FailuresCountedPtr& counted, qint64 nowMs);

    /// Sets the action that retries jobs. Null if there is none. whyNot: why it is unavailable;
    /// empty: it is available.
    void setRetry(const Action* action, const QString& whyNot);

signals:
    /// To the jobs of that group.
    void actionWanted(const lk::Action* action, const lk::JobChoice& jobs);
    /// A group was opened. text: finds its jobs.
    void wanted(const QString& text);

private:
    const FailureGroup* current() const;
    void updateRetry();
    void retry();
    QString summaryText(const QueueState& queue, const FailuresCountedPtr& counted) const;

    FailuresCountedPtr m_counted; ///< the last count that was finished; null: none
    QLabel* m_summary;
    QToolButton* m_retry;
    RowModel<FailureRow>* m_model;
    RowsTable* m_table;
    const Action* m_action = nullptr; ///< that retries
    QString m_whyNot;
};

} // namespace lk
