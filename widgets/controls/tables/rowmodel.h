// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"

#include <QAbstractTableModel>
#include <QIcon>

#include <functional>
#include <vector>

namespace lk {

/// A column of a RowModel. A function that is not set shows nothing.
template<typename Row> struct RowColumn
{
    using Text = std::function<QString(const Row&)>;
    using Test = std::function<bool(const Row&)>;
    using Icon = std::function<QIcon(const Row&)>;

    RowColumn(QString columnTitle, Text columnText, bool number = false, Test mono = {},
              Icon columnIcon = {}, Text columnTip = {}, Text columnSpoken = {},
              QString columnAbout = {})
        : title(std::move(columnTitle))
        , text(std::move(columnText))
        , isNumber(number)
        , isMono(std::move(mono))
        , icon(std::move(columnIcon))
        , tip(std::move(columnTip))
        , spoken(std::move(columnSpoken))
        , about(std::move(columnAbout))
    {}

    QString title; ///< translated
    Text text;
    bool isNumber; ///< on the right
    Test isMono;
    Icon icon;
    Text tip;      ///< plain text
    Text spoken;   ///< for screen readers, if it differs from the text
    QString about; ///< the title's tooltip
};

/// For isMono.
template<typename Row> bool always(const Row&)
{
    return true;
}

/// A table of values by the description of its columns. GUI thread.
template<typename Row> class RowModel : public QAbstractTableModel
{
public:
    explicit RowModel(std::vector<RowColumn<Row>> columns, QObject* parent = nullptr)
        : QAbstractTableModel(parent)
        , m_columns(std::move(columns))
    {}

    const std::vector<Row>& rows() const { return m_rows; }
    /// Null beyond the last.
    const Row* at(int row) const
    {
        return row >= 0 && size_t(row) < m_rows.size() ? &m_rows[size_t(row)] : nullptr;
    }

    int rowCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : int(m_rows.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : int(m_columns.size());
    }
    QVariant data(const QModelIndex& index, int role) const override
    {
        const Row* row = index.isValid() ? at(index.row()) : nullptr;
        if (!row)
            return {};
        const RowColumn<Row>& column = m_columns[size_t(index.column())];
        switch (role) {
        case Qt::DisplayRole:
            return column.text ? QVariant(column.text(*row)) : QVariant();
        case Qt::FontRole:
            return column.isMono && column.isMono(*row) ? QVariant(monoFont(TextSize::Body))
                                                        : QVariant();
        case Qt::TextAlignmentRole:
            return alignment(column);
        case Qt::DecorationRole: {
            const QIcon icon = column.icon ? column.icon(*row) : QIcon();
            return icon.isNull() ? QVariant() : QVariant(icon);
        }
        case Qt::ToolTipRole:
            return column.tip ? QVariant(plainTip(column.tip(*row))) : QVariant();
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
    /// Adds or removes rows at the end; the others have new data.
    void setRows(std::vector<Row> rows)
    {
        const int before = rowCount();
        const int after = int(rows.size());
        if (after < before) {
            beginRemoveRows({}, after, before - 1);
            m_rows.erase(m_rows.begin() + after, m_rows.end());
            endRemoveRows();
        }
        const auto stay = std::ptrdiff_t(m_rows.size());
        std::move(rows.begin(), rows.begin() + stay, m_rows.begin());
        if (stay > 0)
            emit dataChanged(index(0, 0), index(int(stay) - 1, columnCount() - 1));
        if (after > before) {
            beginInsertRows({}, before, after - 1);
            m_rows.insert(m_rows.end(), std::make_move_iterator(rows.begin() + stay),
                          std::make_move_iterator(rows.end()));
            endInsertRows();
        }
    }
    /// They are others: nothing stays chosen.
    void resetRows(std::vector<Row> rows)
    {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
    }

private:
    static QVariant alignment(const RowColumn<Row>& column)
    {
        return column.isNumber
                   ? QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter))
                   : QVariant();
    }

    std::vector<RowColumn<Row>> m_columns;
    std::vector<Row> m_rows;
};

} // namespace lk
