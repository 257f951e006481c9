// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVariantMap>

namespace lk {

class PaneSplitter;
class TableArrangement;

// Board::viewState() for a board with a table and a pane beside it.

QVariantMap tableViewState(const PaneSplitter& splitter, const TableArrangement& table);
void setTableViewState(const QVariantMap& state, PaneSplitter& splitter, TableArrangement& table);

} // namespace lk
