// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/redlock/redlockreport.h"
#include "widgets/controls/tables/rowmodel.h"

namespace lk {

/// What one server says of a lock.
struct VoteRow
{
    RedlockVote vote;
    QString clock;        ///< "+3 ms"
    bool isOther = false; ///< somebody else's than the one with the most
    bool operator==(const VoteRow&) const = default;
};

/// What each server of a group says of one lock, in the group's order.
class VoteModel final : public RowModel<VoteRow>
{
    Q_OBJECT

public:
    enum VoteColumn { ServerColumn, StateColumn, TtlColumn, ClockColumn, Total };

    explicit VoteModel(QObject* parent = nullptr);

    void show(const RedlockState& state, const std::vector<RedlockServer>& servers);
};

} // namespace lk
