// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/possible.h"
#include "widgets/controls/tables/rowmodel.h"

namespace lk {

/// The possible primitives of one kind: key, possible layout, and why it is not proven.
class PossibleModel final : public RowModel<PossiblePrimitive>
{
    Q_OBJECT

public:
    enum PossibleColumn { KeyColumn, LayoutColumn, ReasonColumn, ColumnTotal };

    PossibleModel(Kind kind, QObject* parent);

    void setPossible(const PossiblePtr& possible);
    int rowOf(const QByteArray& key) const; ///< -1: not among the rows

private:
    Kind m_kind;
};

} // namespace lk
