// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"
#include "widgets/controls/tables/flattable.h"
#include "widgets/controls/tables/rowmodel.h"

namespace lk {

/// Who holds a lock and who waits for it, as rows: the holders, the first to end first, then those
/// Who holds a lock, or waits for it.
struct HolderRow
{
    LockHolder holder; ///< of one who waits: the name, and how much longer
    bool waits = false;
    QString part; ///< "reads, 2 times"
    qint64 nowMs = 0;
};

/// who wait, the next one first.
class HolderModel final : public RowModel<HolderRow>
{
    Q_OBJECT

public:
    enum HolderColumn { NameColumn, PartColumn, SinceColumn, TtlColumn, ColumnTotal };

    explicit HolderModel(QObject* parent = nullptr);

    /// nowMs: server time, of the state.
    void setLock(const LockState& lock, qint64 nowMs);
    /// The holder of that row; null for one who waits.
    const LockHolder* holder(int row) const;
};

/// The table of those; owns its model. A holder that is chosen stays chosen wherever it stands.
/// Belongs to the lock's detail body.
class HolderTable final : public FlatTable
{
    Q_OBJECT

public:
    explicit HolderTable(QWidget* parent = nullptr);

    void setLock(const LockState& lock, qint64 nowMs);
    /// The chosen holder's name; empty if none is, or one who waits.
    QByteArray chosen() const;

private:
    HolderModel* m_model;
};

} // namespace lk
