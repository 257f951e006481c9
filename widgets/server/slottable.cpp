// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/server/slottable.h"

#include "backend/text/time/duration.h"
#include "widgets/controls/tables/contentwidths.h"
#include "widgets/controls/tables/tablearrangement.h"
#include "widgets/theme/theme.h"

#include <QLocale>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace lk {

namespace {

QString slotTableBytes(const std::optional<qint64>& number)
{
    return number ? QLocale().formattedDataSize(*number, 1, QLocale::DataSizeSIFormat) : QString();
}

} // namespace

void SlotModel::setLoads(const SlotLoads& loads)
{
    const int before = rowCount();
    const int after = int(loads.busiest.size());
    // Rows come and go at the end; then all of them tell something else.
    if (after > before) {
        beginInsertRows({}, before, after - 1);
        m_loads = loads.busiest;
        endInsertRows();
    } else if (after < before) {
        beginRemoveRows({}, after, before - 1);
        m_loads = loads.busiest;
        endRemoveRows();
    } else {
        m_loads = loads.busiest;
    }
    if (after > 0)
        emit dataChanged(index(0, 0), index(after - 1, ColumnTotal - 1));
}

bool SlotModel::isReported(int column) const
{
    return std::any_of(m_loads.begin(), m_loads.end(),
                       [&](const SlotLoad& load) { return !text(load, column).isEmpty(); });
}

int SlotModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_loads.size());
}

int SlotModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnTotal;
}

QString SlotModel::text(const SlotLoad& load, int column) const
{
    switch (column) {
    case NumberColumn:
        return QLocale().toString(load.slot);
    case NodeColumn:
        return load.node;
    case ShareColumn:
        return load.cpuShare ? tr("%1 %").arg(QLocale().toString(*load.cpuShare * 100, 'f', 1))
                             : QString();
    case CpuColumn:
        return load.cpuUsec ? formatDuration(*load.cpuUsec / 1000) : QString();
    case KeysColumn:
        return load.keys ? QLocale().toString(*load.keys) : QString();
    case MemoryColumn:
        return slotTableBytes(load.memoryBytes);
    case InColumn:
        return slotTableBytes(load.bytesIn);
    default:
        return slotTableBytes(load.bytesOut);
    }
}

QVariant SlotModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    if (role == Qt::DisplayRole)
        return text(m_loads[size_t(index.row())], index.column());
    if (role == Qt::FontRole && index.column() == NodeColumn)
        return monoFont(TextSize::Body);
    if (role == Qt::TextAlignmentRole && index.column() != NodeColumn)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    return {};
}

QVariant SlotModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole && section != NodeColumn)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role == Qt::ToolTipRole && section == ShareColumn)
        return tr("Of one core, in the last ten seconds");
    if (role == Qt::ToolTipRole && section == CpuColumn)
        return tr("Since the server began to count");
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NumberColumn:
        return tr("Slot");
    case NodeColumn:
        return tr("Node");
    case ShareColumn:
        return tr("CPU");
    case CpuColumn:
        return tr("CPU time");
    case KeysColumn:
        return tr("Keys");
    case MemoryColumn:
        return tr("Memory");
    case InColumn:
        return tr("Received");
    default:
        return tr("Sent");
    }
}

SlotTable::SlotTable(QWidget* parent)
    : FlatTable(parent)
    , m_model(new SlotModel(this))
{
    setAccessibleName(tr("Slots"));
    setSelectionMode(SingleSelection);
    setModel(m_model);
    auto* arrangement = new TableArrangement(this,
                                             {u"slot"_s, u"node"_s, u"share"_s, u"cpu"_s, u"keys"_s,
                                              u"memory"_s, u"received"_s, u"sent"_s},
                                             u"slots"_s);
    m_widths = new ContentWidths(this, SlotModel::NodeColumn, arrangement);
}

void SlotTable::setLoads(const SlotLoads& loads)
{
    m_model->setLoads(loads);
    for (int column = 0; column < SlotModel::ColumnTotal; ++column)
        setColumnHidden(column, !m_model->isReported(column));
    m_widths->fit(std::max(1, m_model->rowCount()));
}

} // namespace lk
