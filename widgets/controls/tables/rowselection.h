// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

class QTableView;

namespace lk {

/// The selected rows of a table, from the top.
std::vector<int> selectedRows(const QTableView& table);
/// That row is selected, and no other.
void selectOnly(QTableView& table, int row);
/// That row is the current one. If it is one of several that are selected, they stay so; else it
/// alone is.
void makeCurrent(QTableView& table, int row);

} // namespace lk
