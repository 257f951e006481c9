// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"
#include "widgets/actions/actiondraft.h"
#include "widgets/controls/flattable.h"

#include <QAbstractTableModel>

namespace lk {

/// Jobs of one state: number, time, size, the payload's beginning. The time is how long a job has
/// been in progress by first sight, or when a delayed one is due.
class ItemModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum ItemColumn { NumberColumn, TimeColumn, SizeColumn, PayloadColumn, ColumnTotal };

    using QAbstractTableModel::QAbstractTableModel;

    /// role: as JobState has it. nowMs: server time, from which ages are counted.
    void setItems(const std::vector<QueueItem>& items, const QByteArray& role, qint64 nowMs,
                  qint64 stuckAfterMs);
    /// Those in progress.
    void setItems(const QueueState& queue, qint64 nowMs);
    const std::vector<QueueItem>& items() const { return m_items; }
    /// False: these jobs have no time of their own.
    bool hasTimes() const { return m_role == "processing" || m_role == "delayed"; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    bool isStuck(const QueueItem& item) const;
    QString timeText(const QueueItem& item) const;
    QString toolTip(const QueueItem& item, int column) const;

    std::vector<QueueItem> m_items;
    QByteArray m_role;
    qint64 m_nowMs = 0;
    qint64 m_stuckAfterMs = 0;
};

/// The table of a queue's jobs, of which a person may choose some to act on; owns its model.
/// Belongs to the JobPanel.
class ItemTable final : public FlatTable
{
    Q_OBJECT

public:
    explicit ItemTable(QWidget* parent = nullptr);

    /// What is selected stays selected wherever it stands now; of another role nothing does.
    void setItems(const std::vector<QueueItem>& items, const QByteArray& role, qint64 nowMs,
                  qint64 stuckAfterMs);
    /// What stands where there are no rows.
    void setEmptyText(const QString& text);
    /// The selected jobs, in the order of their rows.
    JobChoice chosen() const;
    /// The job of the current row; null: there is none.
    const QueueItem* current() const;

signals:
    void chosenChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitColumns();
    void fitHeight();

    ItemModel* m_model;
    QByteArray m_role;
    QString m_emptyText;
    int m_rowsSeen = 0;
    bool m_wider = false; ///< than its viewport: there is a bar to scroll by
};

} // namespace lk
