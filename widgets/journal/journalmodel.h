// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/monitor/journalreader.h"
#include "widgets/saving/offthread.h"

#include <QAbstractTableModel>

namespace lk {

/// The steps of the journal, newest first, as far as they fit the filter.
class JournalModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum JournalColumn {
        WhenColumn,
        OutcomeColumn,
        ActionColumn,
        NameColumn,
        WhoColumn,
        ReasonColumn,
        ColumnTotal
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setContents(const JournalPtr& contents);
    void setFilter(const QString& text);
    qint64 total() const { return m_contents ? qint64(m_contents->entries.size()) : 0; }

    /// Null beyond the last row.
    const JournalEntry* entryAt(int row) const;
    int rowOf(const QByteArray& receipt) const; ///< -1: not among the rows
    /// A later step took it back.
    bool isUndone(const QByteArray& receipt) const;
    RowsText csv() const;
    RowsText json() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void arrange();

    JournalPtr m_contents;
    QString m_filter;
    std::vector<const JournalEntry*> m_rows; ///< of m_contents
};

/// The moment of a step: the server's where it is known.
qint64 momentOf(const JournalEntry& entry);
QString localText(qint64 ms);  ///< "2026-11-21 05:02:11"
QString momentTip(qint64 ms);  ///< UTC, and how long ago

} // namespace lk
