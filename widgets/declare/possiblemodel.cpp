// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/declare/possiblemodel.h"

#include "backend/core/redactedname.h"
#include "backend/libraries/api/layout.h"
#include "backend/text/certaintytext.h"

namespace lk {

PossibleModel::PossibleModel(Kind kind, QObject* parent)
    : QAbstractTableModel(parent)
    , m_kind(kind)
{}

void PossibleModel::setPossible(const PossiblePtr& possible)
{
    std::vector<PossiblePrimitive> rows;
    std::copy_if(possible->named.begin(), possible->named.end(), std::back_inserter(rows),
                 [this](const PossiblePrimitive& one) { return one.kind == m_kind; });
    if (rows == m_rows)
        return;
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

const PossiblePrimitive* PossibleModel::at(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[size_t(row)] : nullptr;
}

int PossibleModel::rowOf(const QByteArray& key) const
{
    const auto it = std::find_if(m_rows.begin(), m_rows.end(),
                                 [&key](const PossiblePrimitive& one) { return one.key == key; });
    return it == m_rows.end() ? -1 : int(it - m_rows.begin());
}

int PossibleModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int PossibleModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(ColumnTotal);
}

QVariant PossibleModel::data(const QModelIndex& index, int role) const
{
    const PossiblePrimitive* one = at(index.row());
    if (!one || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    switch (index.column()) {
    case KeyColumn:
        return shownKey(one->kind, one->key, 120);
    case LayoutColumn:
        return layoutTitle(one->id.layout);
    case ReasonColumn:
        return doubtText(one->doubt);
    default:
        return {};
    }
}

QVariant PossibleModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case KeyColumn:
        return tr("Key");
    case LayoutColumn:
        return tr("May be a");
    case ReasonColumn:
        return tr("Why it is not counted");
    default:
        return {};
    }
}

} // namespace lk
