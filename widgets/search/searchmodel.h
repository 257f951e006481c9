// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/search/searchresults.h"
#include "backend/session/session.h"
#include "widgets/controls/tables/rowmodel.h"

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

/// One of a command, a job and a primitive.
struct SearchRow
{
    QPointer<QAction> command = {};
    std::optional<FoundJob> job = {};
    std::optional<SearchHit> hit = {};
    QPointer<Session> other = {}; ///< the hit's session; null: the one in front
    QString name = {};
    QString deployment = {};
};

/// The results of a search: commands of the window first, then jobs, then primitives by kind, and
/// last the results from the other open deployments.
class SearchModel final : public RowModel<SearchRow>
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

    explicit SearchModel(QObject* parent = nullptr);

    void setFrontName(const QString& name) { m_frontName = name; }
    void setCommands(const QList<QAction*>& commands);
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

private:
    struct Others
    {
        QPointer<Session> session;
        SearchResultsPtr results;
    };

    std::vector<SearchRow> wanted() const;
    void arrange();

    QString m_frontName; ///< the name of the deployment in front
    std::vector<Others> m_others;
    QList<QPointer<QAction>> m_commands;
    std::vector<FoundJob> m_jobs;
    SearchResultsPtr m_results;
};

/// "5 of 5 used, next free in 12 s"; translated.
QString allowanceText(const Allowance& allowance);

} // namespace lk
