// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/board/summary.h"
#include "backend/session/session.h"
#include "backend/text/columns/column.h"
#include "widgets/saving/offthread.h"

#include <QAbstractTableModel>
#include <QPointer>
#include <QSet>

namespace lk {

/// The primitives of one kind in the order in which the worker arranged them, under header rows if
/// it grouped them. Holds handles only and makes texts in data(), for the cells on screen. Changes
/// off screen cost nothing.
class PrimitiveModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    /// Data of a row for its delegate and the board, besides its texts.
    enum Role {
        HandleRole = Qt::UserRole + 1, ///< Handle
        StyleRole,                     ///< ColumnStyle as int
        PinnedRole,                    ///< bool: read even off screen
        FindingRole, ///< severity of the worst finding: 1 info, 2 warning, 3 error; 0: none
    };

    explicit PrimitiveModel(Kind kind, QObject* parent = nullptr);

    Kind kind() const { return m_kind; }
    void setSession(Session* session);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    StatePtr stateAt(int row) const;
    Handle handleAt(int row) const; ///< a header row has no primitive
    /// Null: it is no header row. Until the rows change.
    const BoardGroup* groupAt(int row) const;
    /// The header row above it, also its own; -1: there is none.
    int headerRowOf(int row) const;
    const std::vector<BoardGroup>& groups() const { return *m_groups; }
    /// -1 if it is not among the rows. Looks through the rows: not for every paint.
    int rowOf(Handle handle) const;

    /// Takes over a new order. Rows keep their identity: selections move with them.
    void setRows(const BoardRows& rows);
    /// The rows on screen. Only changes of these rows are reported.
    void setVisibleRows(int first, int last);
    std::vector<Handle> visibleHandles() const;

    /// Returns one line per primitive in its current state, for the clipboard and files. rows:
    /// empty for all, including those of collapsed groups. Codes of tokens stay masked, even if the
    /// user has them shown.
    RowsText csv(const std::vector<int>& rows = {}) const;

private:
    using Handles = std::shared_ptr<const std::vector<Handle>>;

    void place(const Handles& rows, const BoardRows& all);
    void reorder(Handles rows, const BoardRows& all);
    QVariant groupData(const BoardGroup& group, const Column& column, int role) const;
    void onChanged(const DeltaPtr& delta);
    void onFindings();
    void onCodes();
    QString toolTip(Handle handle, const State& state, const Column& column) const;
    QString nameText(Handle handle, const Primitive& primitive) const;

    Kind m_kind;
    QPointer<Session> m_session;
    Handles m_rows;
    Handles m_all;                   ///< without header rows, with those of collapsed groups
    QSet<QByteArray> m_sharedLabels; ///< as BoardRows has them
    std::shared_ptr<const std::vector<BoardGroup>> m_groups; ///< in the order of their rows
    int m_count = 0;                                         ///< rows that the view knows
    int m_firstVisible = 0;
    int m_lastVisible = -1;
};

} // namespace lk
