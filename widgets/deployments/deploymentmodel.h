// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/opensessions.h"

#include <QAbstractTableModel>
#include <QPointer>

namespace lk {

class Session;

/// A row for each open deployment: how it is, its worst finding, and how much of each kind it has.
class DeploymentModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    /// Columns from left to right; from the last on one for each kind.
    enum Column {
        NameColumn,
        StateColumn,
        FindingsColumn,
        AlertsColumn,
        WriteColumn,
        FirstKindColumn
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setSessions(OpenSessions* sessions); ///< not owned
    Session* session(int row) const;          ///< null beyond the last

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void rebuild();
    void update(const Session* session);

    QPointer<OpenSessions> m_sessions;
    QList<QPointer<Session>> m_rows;
};

} // namespace lk
