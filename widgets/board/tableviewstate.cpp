// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/board/tableviewstate.h"

#include "widgets/controls/panels/panesplitter.h"
#include "widgets/controls/tables/tablearrangement.h"

namespace lk {

namespace {

const QString splitterKey = QStringLiteral("splitter");
const QString tableKey = QStringLiteral("table");

} // namespace

QVariantMap tableViewState(const PaneSplitter& splitter, const TableArrangement& table)
{
    QVariantMap state;
    if (const QVariantList sizes = splitter.state(); !sizes.isEmpty())
        state.insert(splitterKey, sizes);
    if (const QVariantMap arranged = table.state(); !arranged.isEmpty())
        state.insert(tableKey, arranged);
    return state;
}

void setTableViewState(const QVariantMap& state, PaneSplitter& splitter, TableArrangement& table)
{
    splitter.setState(state.value(splitterKey).toList());
    table.setState(state.value(tableKey).toMap());
}

} // namespace lk
