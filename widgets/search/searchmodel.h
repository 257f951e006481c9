// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/search/searchresults.h"

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

/// What a search found: commands of the window first, then jobs, then primitives by kind.
class SearchModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum SearchColumn { KindColumn, NameColumn, FoundColumn, StateColumn, ColumnTotal };

    using QAbstractTableModel::QAbstractTableModel;

    void setCommands(const QList<QAction*>& commands);
    /// Rows stay where they are as long as the same is found.
    void setResults(SearchResultsPtr results);
    void setJobs(std::vector<FoundJob> jobs);
    /// Null where the row is something else; so the two below.
    const SearchHit* hit(int row) const;
    const FoundJob* job(int row) const;
    QAction* command(int row) const;
    int rowOf(Handle handle) const; ///< -1: it is not among them

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QVariant commandData(const QAction& action, int column, int role) const;
    QVariant jobData(const FoundJob& job, int column, int role) const;
    QVariant hitData(const SearchHit& hit, int column, int role) const;
    size_t hitCount() const { return m_results ? m_results->hits.size() : 0; }

    QList<QPointer<QAction>> m_commands;
    std::vector<FoundJob> m_jobs;
    SearchResultsPtr m_results;
};

/// "5 of 5 used, next free in 12 s"; translated.
QString allowanceText(const Allowance& allowance);

} // namespace lk
