// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/search/searchresults.h"
#include "backend/session/session.h"

#include <QAbstractTableModel>
#include <QPointer>

class QAction;

namespace lk {

/// A job that has the id that was typed.
struct FoundJob
{
    Handle queue;
    StatePtr state; ///< the queue's state
    JobFacts facts;
};

/// The results of a search: commands of the window first, then jobs, then primitives by kind, and
/// last the results from the other open deployments.
class SearchModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    /// Columns from left to right.
    enum SearchColumn {
        KindColumn,
        NameColumn,
        FoundColumn,
        StateColumn,
        DeploymentColumn,
        ColumnTotal
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setFrontName(const QString& name) { m_frontName = name; }
    void setCommands(const QList<QAction*>& commands);
    /// Rows stay where they are as long as the same is found.
    void setResults(SearchResultsPtr results);
    /// Sets the results of a deployment that is not in front. Null if there are none.
    void setOthers(Session* session, SearchResultsPtr results);
    /// Returns the session of a hit. Null if it is the one in front, or if the row is no hit.
    Session* otherOf(int row) const;
    void setJobs(std::vector<FoundJob> jobs);
    /// Null where the row is something else; so the two below.
    const SearchHit* hit(int row) const;
    const FoundJob* job(int row) const;
    QAction* command(int row) const;
    int rowOf(Handle handle) const; ///< only in the session in front; -1: not found

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QVariant commandData(const QAction& action, int column, int role) const;
    QVariant jobData(const FoundJob& job, int column, int role) const;
    QVariant hitData(const SearchHit& hit, int column, int role) const;
    struct Others
    {
        QPointer<Session> session;
        SearchResultsPtr results;
    };
    /// Returns a hit of another session; {null, ...} for any other row.
    std::pair<const Others*, size_t> otherAt(int row) const;

    QString m_frontName; ///< the name of the deployment in front
    std::vector<Others> m_others;
    size_t hitCount() const { return m_results ? m_results->hits.size() : 0; }

    QList<QPointer<QAction>> m_commands;
    std::vector<FoundJob> m_jobs;
    SearchResultsPtr m_results;
    QSet<QByteArray> m_sharedLabels; ///< those that several of the hits have
};

/// "5 of 5 used, next free in 12 s"; translated.
QString allowanceText(const Allowance& allowance);

} // namespace lk
