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

std::vector<RowColumn<SlotLoad>> slotColumns()
{
    return {
        {SlotModel::tr("Slot"), [](const auto& l) { return QLocale().toString(l.slot); }, true},
        {SlotModel::tr("Node"), [](const auto& l) { return l.node; }, false, always<SlotLoad>},
        {SlotModel::tr("CPU"),
         [](const auto& l) {
             return l.cpuShare
                        ? SlotModel::tr("%1 %").arg(QLocale().toString(*l.cpuShare * 100, 'f', 1))
                        : QString();
         },
         true,
         {},
         {},
         {},
         {},
         SlotModel::tr("Of one core, in the last ten seconds")},
        {SlotModel::tr("CPU time"),
         [](const auto& l) { return l.cpuUsec ? formatDuration(*l.cpuUsec / 1000) : QString(); },
         true,
         {},
         {},
         {},
         {},
         SlotModel::tr("Since the server began to count")},
        {SlotModel::tr("Keys"),
         [](const auto& l) { return l.keys ? QLocale().toString(*l.keys) : QString(); }, true},
        {SlotModel::tr("Memory"), [](const auto& l) { return slotTableBytes(l.memoryBytes); },
         true},
        {SlotModel::tr("Received"), [](const auto& l) { return slotTableBytes(l.bytesIn); }, true},
        {SlotModel::tr("Sent"), [](const auto& l) { return slotTableBytes(l.bytesOut); }, true}};
}

} // namespace

SlotModel::SlotModel(QObject* parent)
    : RowModel(slotColumns(), parent)
{}

bool SlotModel::isReported(int column) const
{
    for (int row = 0; row < rowCount(); ++row) {
        if (!index(row, column).data().toString().isEmpty())
            return true;
    }
    return false;
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
