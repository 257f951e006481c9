// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"
#include "widgets/controls/tables/flattable.h"
#include "widgets/controls/tables/rowmodel.h"

namespace lk {

/// A holder of a lock, or a client that waits for it.
struct HolderRow
{
    LockHolder holder; ///< for a waiting client: its name, and how much longer it waits
    bool waits = false;
    QString part; ///< "reads, 2 times"
    qint64 nowMs = 0;
};

/// The holders of a lock and the clients that wait for it, as rows: first the holders, the first to
/// end first, then the waiting clients, the next one first.
class HolderModel final : public RowModel<HolderRow>
{
    Q_OBJECT

public:
    enum HolderColumn { NameColumn, PartColumn, SinceColumn, TtlColumn, ColumnTotal };

    explicit HolderModel(QObject* parent = nullptr);

    /// nowMs: server time, of the state.
    void setLock(const LockState& lock, qint64 nowMs);
    /// Returns the holder of a row. Null for a waiting client.
    const LockHolder* holder(int row) const;
};

/// The table of holders and waiting clients; owns its model. A chosen holder stays chosen wherever
/// it stands. Belongs to the lock's detail body.
class HolderTable final : public FlatTable
{
    Q_OBJECT

public:
    explicit HolderTable(QWidget* parent = nullptr);

    void setLock(const LockState& lock, qint64 nowMs);
    /// Returns the name of the chosen holder. Empty if none is chosen, or a waiting client.
    QByteArray chosen() const;

private:
    HolderModel* m_model;
};

} // namespace lk
