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
    StatePtr state; ///< of its queue
    JobFacts facts;
};

/// What a search found: commands of the window first, then jobs, then primitives by kind; last what
/// the other open deployments have.
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
    /// Of a deployment that is not in front; null: nothing.
    void setOthers(Session* session, SearchResultsPtr results);
    /// Whose a hit is; null: the session's in front, or it is no hit.
    Session* otherOf(int row) const;
    void setJobs(std::vector<FoundJob> jobs);
    /// Null where the row is something else; so the two below.
    const SearchHit* hit(int row) const;
    const FoundJob* job(int row) const;
    QAction* command(int row) const;
    int rowOf(Handle handle) const; ///< of the session in front; -1: it is not among them

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
    /// Of the hits after those of the session in front; {null, ...}: beyond the last.
    std::pair<const Others*, size_t> otherAt(int row) const;

    QString m_frontName; ///< of the deployment in front
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
