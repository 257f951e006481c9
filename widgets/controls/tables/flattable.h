// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

namespace lk {

/// How every table looks: quiet titles, rows of one height, no grid and no frame. Whole rows are
/// selected, and Tab leaves the table.
class FlatTable : public QTableView
{
    Q_OBJECT

public:
    explicit FlatTable(QWidget* parent = nullptr);
};

} // namespace lk
