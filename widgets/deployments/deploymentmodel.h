// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/opensessions.h"
#include "widgets/controls/tables/rowmodel.h"

#include <QPointer>

namespace lk {

class Session;

/// A row for each open deployment: how it is, its worst finding, and how much of each kind it has.
class DeploymentModel final : public RowModel<QPointer<Session>>
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

    explicit DeploymentModel(QObject* parent = nullptr);

    void setSessions(OpenSessions* sessions); ///< not owned
    Session* session(int row) const;          ///< null beyond the last

    /// Null also if the session is gone.
    const QPointer<Session>* at(int row) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    void rebuild();
    void update(const Session* session);

    QPointer<OpenSessions> m_sessions;
};

} // namespace lk
