// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/search/searchresults.h"

#include <QAbstractTableModel>
#include <QPointer>

class QAction;

namespace lk {

/// What a search found: commands of the window first, then primitives by kind.
class SearchModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum SearchColumn { KindColumn, NameColumn, FoundColumn, StateColumn, ColumnTotal };

    using QAbstractTableModel::QAbstractTableModel;

    void setCommands(const QList<QAction*>& commands);
    /// Rows stay where they are as long as the same is found.
    void setResults(SearchResultsPtr results);
    /// Null where the row is a command.
    const SearchHit* hit(int row) const;
    QAction* command(int row) const; ///< null where it is a primitive
    int rowOf(Handle handle) const;  ///< -1: it is not among them

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QVariant commandData(const QAction& action, int column, int role) const;
    QVariant hitData(const SearchHit& hit, int column, int role) const;
    size_t hitCount() const { return m_results ? m_results->hits.size() : 0; }

    QList<QPointer<QAction>> m_commands;
    SearchResultsPtr m_results;
};

/// "5 of 5 used, frees in 12 s"; translated.
QString allowanceText(const Allowance& allowance);

} // namespace lk
