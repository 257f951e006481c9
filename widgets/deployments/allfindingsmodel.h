// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/opensessions.h"
#include "backend/session/session.h"

#include <QAbstractTableModel>
#include <QPointer>

namespace lk {

/// The findings of all open deployments that fit the filter, worst first, each with its deployment.
/// A deployment with very many findings has rows for the worst only; counts() has all.
class AllFindingsModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { SeverityColumn, DeploymentColumn, NameColumn, MessageColumn, ColumnTotal };
    static constexpr size_t mostOfOne = 500;

    /// A finding and its session, which may be gone.
    struct Row
    {
        QPointer<Session> session;
        LiveFindingPtr live;
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setSessions(OpenSessions* sessions); ///< not owned
    /// Part of a deployment's name, of a finding's name, key, code or message.
    void setFilter(const QString& text);
    /// While inactive, and so not on screen, the model builds no rows.
    void setActive(bool active);
    const Row* row(int row) const; ///< null beyond the last
    qint64 total() const;          ///< findings of all deployments, without silenced ones

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void listen();
    void rebuild();

    QPointer<OpenSessions> m_sessions;
    QList<QPointer<Session>> m_heard;
    std::vector<Row> m_rows;
    QString m_filter;
    bool m_active = false;
};

} // namespace lk
