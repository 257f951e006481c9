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

QString shareText(const SlotLoad& load)
{
    return load.cpuShare
               ? SlotModel::tr("%1 %").arg(QLocale().toString(*load.cpuShare * 100, 'f', 1))
               : QString();
}

QString cpuText(const SlotLoad& load)
{
    return load.cpuUsec ? formatDuration(*load.cpuUsec / 1000) : QString();
}

RowColumns<SlotLoad> slotColumns()
{
    using Load = SlotLoad;
    return RowColumns<Load>{
        {.title = SlotModel::tr("Slot"),
         .text = [](const Load& l) { return QLocale().toString(l.slot); },
         .isNumber = true},
        {.title = SlotModel::tr("Node"), .text = &Load::node, .isMono = always<Load>},
        {.title = SlotModel::tr("CPU"),
         .text = shareText,
         .isNumber = true,
         .about = SlotModel::tr("Of one core, in the last ten seconds")},
        {.title = SlotModel::tr("CPU time"),
         .text = cpuText,
         .isNumber = true,
         .about = SlotModel::tr("Since the server began to count")},
        {.title = SlotModel::tr("Keys"),
         .text = [](const Load& l) { return l.keys ? QLocale().toString(*l.keys) : QString(); },
         .isNumber = true},
        {.title = SlotModel::tr("Memory"),
         .text = [](const Load& l) { return slotTableBytes(l.memoryBytes); },
         .isNumber = true},
        {.title = SlotModel::tr("Received"),
         .text = [](const Load& l) { return slotTableBytes(l.bytesIn); },
         .isNumber = true},
        {.title = SlotModel::tr("Sent"),
         .text = [](const Load& l) { return slotTableBytes(l.bytesOut); },
         .isNumber = true}};
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
