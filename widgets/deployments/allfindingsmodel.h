// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/opensessions.h"
#include "backend/session/session.h"
#include "widgets/controls/tables/rowmodel.h"

#include <QPointer>

namespace lk {

/// A finding and its session, which may be gone.
struct DeploymentFinding
{
    QPointer<Session> session;
    LiveFindingPtr live;

    bool operator==(const DeploymentFinding&) const = default;
};

/// The findings of all open deployments that fit the filter, worst first, each with its deployment.
/// A deployment with very many findings has rows for the worst only; counts() has all.
class AllFindingsModel final : public RowModel<DeploymentFinding>
{
    Q_OBJECT

public:
    enum Column { SeverityColumn, DeploymentColumn, NameColumn, MessageColumn, ColumnTotal };
    static constexpr size_t mostOfOne = 500;

    explicit AllFindingsModel(QObject* parent = nullptr);

    void setSessions(OpenSessions* sessions); ///< not owned
    /// Part of a deployment's name, of a finding's name, key, code or message.
    void setFilter(const QString& text);
    /// While inactive, and so not on screen, the model builds no rows.
    void setActive(bool active);
    /// Null beyond the last, and if the session is gone.
    const DeploymentFinding* at(int row) const override;
    qint64 total() const; ///< findings of all deployments, without silenced ones

private:
    void listen();
    void rebuild();

    QPointer<OpenSessions> m_sessions;
    QList<QPointer<Session>> m_heard;
    QString m_filter;
    bool m_active = false;
};

} // namespace lk
