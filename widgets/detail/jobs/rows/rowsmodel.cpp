// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/jobs/rows/rowsmodel.h"

#include "widgets/theme/icon.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"

#include <QGuiApplication>

namespace lk {

RowsModel::RowsModel(std::vector<Column> columns, QObject* parent)
    : QAbstractTableModel(parent)
    , m_columns(std::move(columns))
{}

// Adds or removes rows at the end; then all rows have new data.
void RowsModel::setRows(std::vector<std::vector<Cell>> rows)
{
    if (rows == m_rows)
        return;
    const int before = int(m_rows.size());
    const int after = int(rows.size());
    if (after > before) {
        beginInsertRows({}, before, after - 1);
        m_rows = std::move(rows);
        endInsertRows();
    } else if (after < before) {
        beginRemoveRows({}, after, before - 1);
        m_rows = std::move(rows);
        endRemoveRows();
    } else {
        m_rows = std::move(rows);
    }
    if (after > 0)
        emit dataChanged(index(0, 0), index(after - 1, int(m_columns.size()) - 1));
}

int RowsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int RowsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_columns.size());
}

QVariant RowsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Cell& cell = m_rows[size_t(index.row())][size_t(index.column())];
    const Column& column = m_columns[size_t(index.column())];
    if (role == Qt::DisplayRole)
        return cell.text;
    if (role == Qt::ToolTipRole)
        return plainTip(cell.tip.isEmpty() ? cell.text : cell.tip);
    if (role == Qt::FontRole && column.mono)
        return monoFont(TextSize::Body);
    if (role == Qt::TextAlignmentRole && column.right)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role == Qt::DecorationRole && cell.icon)
        return healthIcon(*cell.icon, QGuiApplication::palette());
    return {};
}

QVariant RowsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= int(m_columns.size()))
        return {};
    if (role == Qt::DisplayRole)
        return m_columns[size_t(section)].title;
    if (role == Qt::TextAlignmentRole && m_columns[size_t(section)].right)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    return {};
}

} // namespace lk
