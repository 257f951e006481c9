// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/journal/journalreader.h"
#include "widgets/controls/tables/rowmodel.h"
#include "widgets/saving/offthread.h"

namespace lk {

/// A step, or steps that ran together.
struct JournalRow
{
    std::vector<const JournalEntry*> steps; ///< newest first
    bool group = false;
    bool member = false; ///< a step of the open group above it
    bool open = false;   ///< a group that is followed by its steps
};

/// The steps of the journal that fit the filter, newest first. Steps that ran together are one row,
/// which opens to its steps.
class JournalModel final : public RowModel<JournalRow>
{
    Q_OBJECT

public:
    /// Columns from left to right.
    enum JournalColumn {
        WhenColumn,
        OutcomeColumn,
        ActionColumn,
        NameColumn,
        WhoColumn,
        ReasonColumn,
        ColumnTotal
    };

    explicit JournalModel(QObject* parent = nullptr);

    void setContents(const JournalPtr& contents);
    void setFilter(const QString& text);
    /// Leaves out later steps, and ignores later undoing. 0: leaves out nothing.
    void setUntil(qint64 ms);
    qint64 total() const { return m_contents ? qint64(m_contents->entries.size()) : 0; }

    using Steps = std::vector<const JournalEntry*>;
    /// Newest first; one but for the row of a group. Empty beyond the last row.
    Steps stepsAt(int row) const;
    /// Returns which of the steps can still be undone, the last step first.
    QByteArrayList undoable(const Steps& steps) const;
    QByteArray idAt(int row) const;        ///< a receipt, or a group's name
    int rowOf(const QByteArray& id) const; ///< -1: not among the rows
    /// Returns true if a later step undid it.
    bool isUndone(const QByteArray& receipt) const { return m_undone.contains(receipt); }
    bool isGroup(int row) const { return at(row) && at(row)->group; }
    bool isOpen(int row) const { return at(row) && at(row)->open; }
    void setOpen(int row, bool open); ///< does nothing if the row is no group
    /// A line for each action; rows empty: all that fit the filter.
    RowsText csv(const std::vector<int>& rows = {}) const;
    RowsText json() const;

private:
    void arrange();
    void noteUndone();

    JournalPtr m_contents;
    QString m_filter;
    qint64 m_untilMs = 0;
    Steps m_fitting;         ///< steps of m_contents, newest first
    QSet<QByteArray> m_open; ///< groups
    QSet<QByteArray> m_undone;
};

QString outcomesText(const JournalModel::Steps& steps); ///< "Succeeded", "43 of 45 succeeded"
/// Returns the gravest outcome: unknown before conflict and refused before done.
Outcome gravest(const JournalModel::Steps& steps);
/// Returns the moment of a step: the server's time if it is known.
qint64 momentOf(const JournalEntry& entry);
QString localText(qint64 ms); ///< "2026-11-21 05:02:11"
QString momentTip(qint64 ms); ///< UTC, and how long ago

} // namespace lk
