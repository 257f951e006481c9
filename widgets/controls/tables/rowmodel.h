// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/text/csv.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"
#include "widgets/theme/themecolors.h"

#include <QAbstractTableModel>
#include <QGuiApplication>
#include <QHash>
#include <QIcon>
#include <QSet>

#include <algorithm>
#include <concepts>
#include <functional>
#include <vector>

namespace lk {

/// A column of a RowModel. A function that is not set shows nothing.
template<typename Row> struct RowColumn
{
    using Text = std::function<QString(const Row&)>;
    using Test = std::function<bool(const Row&)>;

    QString title = {}; ///< translated
    Text text = {};
    bool isNumber = false; ///< on the right
    Test isMono = {};
    std::function<QIcon(const Row&)> icon = {};
    Text tip = {};      ///< plain text; not set: the cell's text
    Text spoken = {};   ///< for screen readers, if it differs from the text
    QString about = {}; ///< the title's tooltip
    Test isFaint = {};  ///< in the secondary colour
};

/// By name where columns are returned: GCC 12 does not survive a mere list of them.
template<typename Row> using RowColumns = std::vector<RowColumn<Row>>;

/// For isMono.
template<typename Row> bool always(const Row&)
{
    return true;
}

/// A table by the description of its columns, wherever its rows are kept. GUI thread.
template<typename Row> class ColumnModel : public QAbstractTableModel
{
public:
    explicit ColumnModel(RowColumns<Row> columns, QObject* parent = nullptr)
        : QAbstractTableModel(parent)
        , m_columns(std::move(columns))
    {}

    /// Null beyond the last, and if it was not read yet.
    virtual const Row* at(int row) const = 0;

    int columnCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : int(m_columns.size());
    }
    QVariant data(const QModelIndex& index, int role) const override
    {
        if (!index.isValid())
            return {};
        const RowColumn<Row>& column = m_columns[size_t(index.column())];
        if (role == Qt::TextAlignmentRole)
            return alignment(column);
        const Row* row = at(index.row());
        if (!row)
            return {};
        switch (role) {
        case Qt::DisplayRole:
            return column.text ? QVariant(column.text(*row)) : QVariant();
        case Qt::FontRole:
            return column.isMono && column.isMono(*row) ? QVariant(monoFont(TextSize::Body))
                                                        : QVariant();
        case Qt::ForegroundRole:
            return column.isFaint && column.isFaint(*row)
                       ? QVariant(themeColors(QGuiApplication::palette()).second)
                       : QVariant();
        case Qt::DecorationRole: {
            const QIcon icon = column.icon ? column.icon(*row) : QIcon();
            return icon.isNull() ? QVariant() : QVariant(icon);
        }
        case Qt::ToolTipRole: {
            const auto& tip = column.tip ? column.tip : column.text;
            const QString text = tip ? tip(*row) : QString();
            return text.isEmpty() ? QVariant() : QVariant(plainTip(text));
        }
        case Qt::AccessibleTextRole:
            return column.spoken ? QVariant(column.spoken(*row)) : QVariant();
        default:
            return {};
        }
    }
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override
    {
        if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
            return {};
        const RowColumn<Row>& column = m_columns[size_t(section)];
        if (role == Qt::TextAlignmentRole)
            return alignment(column);
        if (role == Qt::ToolTipRole)
            return column.about.isEmpty() ? QVariant() : QVariant(column.about);
        return role == Qt::DisplayRole ? QVariant(column.title) : QVariant();
    }

protected:
    /// Sets as many columns as there are, with other titles or texts.
    void setColumns(RowColumns<Row> columns)
    {
        m_columns = std::move(columns);
        emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    }
    /// The rows from first to last have other texts.
    void reportChanged(int first, int last)
    {
        if (first <= last)
            emit dataChanged(index(first, 0), index(last, columnCount() - 1));
    }

private:
    static QVariant alignment(const RowColumn<Row>& column)
    {
        return column.isNumber
                   ? QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter))
                   : QVariant();
    }

    RowColumns<Row> m_columns;
};

/// A table of values. Reports only rows that differ, if they can be compared. GUI thread.
template<typename Row> class RowModel : public ColumnModel<Row>
{
public:
    using ColumnModel<Row>::ColumnModel;

    const std::vector<Row>& rows() const { return m_rows; }
    const Row* at(int row) const override
    {
        return row >= 0 && size_t(row) < m_rows.size() ? &m_rows[size_t(row)] : nullptr;
    }
    int rowCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : int(m_rows.size());
    }

    /// Adds or removes rows at the end; the others have new data.
    void setRows(std::vector<Row> rows)
    {
        const int before = rowCount();
        const int after = int(rows.size());
        if (after < before)
            removeFrom(after);
        if (after > before)
            append({rows.begin() + before, rows.end()});
        replace(std::move(rows));
    }
    /// Rows that stay take their selection along to their new place; the others lose it. keyOf:
    /// returns a value by which a row is known, another one for each row.
    template<typename KeyOf> void setRows(std::vector<Row> rows, KeyOf keyOf)
    {
        if (std::ranges::equal(rows, m_rows, {}, keyOf, keyOf) || place(rows, keyOf))
            replace(std::move(rows));
        else
            resetRows(std::move(rows));
    }
    /// They are others: nothing stays chosen.
    void resetRows(std::vector<Row> rows)
    {
        this->beginResetModel();
        m_rows = std::move(rows);
        this->endResetModel();
    }
    void setRow(int row, Row value)
    {
        m_rows[size_t(row)] = std::move(value);
        this->reportChanged(row, row);
    }
    /// Returns the first row that fits. -1: none does.
    template<typename Test> int rowWhere(Test test) const
    {
        const auto it = std::ranges::find_if(m_rows, test);
        return it == m_rows.end() ? -1 : int(it - m_rows.begin());
    }
    /// Returns what makes the text of those rows, a line for each under the titles, in any thread.
    /// Empty: all rows.
    std::function<QString()> csvOf(const std::vector<int>& rows, const QString& titles,
                                   QStringList (*cells)(const Row&)) const
    {
        std::vector<Row> chosen = rows.empty() ? m_rows : std::vector<Row>();
        for (const int row : rows) {
            if (const Row* one = at(row))
                chosen.push_back(*one);
        }
        return
            [chosen = std::move(chosen), titles, cells] { return csvText(titles, chosen, cells); };
    }

private:
    void append(std::vector<Row> rows)
    {
        this->beginInsertRows({}, rowCount(), rowCount() + int(rows.size()) - 1);
        std::ranges::move(rows, std::back_inserter(m_rows));
        this->endInsertRows();
    }
    void removeFrom(int row)
    {
        this->beginRemoveRows({}, row, rowCount() - 1);
        m_rows.erase(m_rows.begin() + row, m_rows.end());
        this->endRemoveRows();
    }
    // There are as many.
    void replace(std::vector<Row> rows)
    {
        size_t first = 0;
        size_t end = rows.size();
        if constexpr (std::equality_comparable<Row>) {
            while (first < end && rows[first] == m_rows[first])
                ++first;
            while (end > first && rows[end - 1] == m_rows[end - 1])
                --end;
        }
        m_rows = std::move(rows);
        this->reportChanged(int(first), int(end) - 1);
    }
    // Brings in the rows that are new, puts all in their order, and takes out those that are gone.
    // Returns false, and does nothing, if two of the rows have one key.
    template<typename KeyOf> bool place(const std::vector<Row>& rows, KeyOf keyOf)
    {
        using Key = std::decay_t<std::invoke_result_t<KeyOf, const Row&>>;
        QHash<Key, int> places;
        for (const Row& row : rows)
            places.insert(keyOf(row), int(places.size()));
        if (size_t(places.size()) != rows.size())
            return false;
        QSet<Key> known;
        for (const Row& row : m_rows)
            known.insert(keyOf(row));
        std::vector<Row> added;
        std::ranges::copy_if(rows, std::back_inserter(added),
                             [&](const Row& row) { return !known.contains(keyOf(row)); });
        if (!added.empty())
            append(std::move(added));
        const int after = int(rows.size());
        int end = after; // those that are gone come last
        std::vector<int> targets;
        for (const Row& row : m_rows) {
            const int target = places.value(keyOf(row), -1);
            targets.push_back(target < 0 ? end++ : target);
        }
        if (end > after || !std::ranges::is_sorted(targets))
            reorder(targets, after);
        if (end > after)
            removeFrom(after);
        return true;
    }
    // Indexes of rows whose place is beyond the end become invalid: the view would choose a
    // neighbour for a current row that is removed.
    void reorder(const std::vector<int>& targets, int end)
    {
        emit this->layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
        const QModelIndexList before = this->persistentIndexList();
        QModelIndexList after;
        for (const QModelIndex& index : before) {
            const int target = targets[size_t(index.row())];
            after << (target < end ? this->createIndex(target, index.column()) : QModelIndex());
        }
        this->changePersistentIndexList(before, after);
        std::vector<Row> ordered(m_rows.size());
        for (size_t i = 0; i < targets.size(); ++i)
            ordered[size_t(targets[i])] = std::move(m_rows[i]);
        m_rows = std::move(ordered);
        emit this->layoutChanged({}, QAbstractItemModel::VerticalSortHint);
    }

    std::vector<Row> m_rows;
};

} // namespace lk
