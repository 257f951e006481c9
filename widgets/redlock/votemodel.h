// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/redlock/redlockreport.h"
#include "widgets/controls/tables/rowmodel.h"

namespace lk {

/// A server's vote on a lock.
struct VoteRow
{
    RedlockVote vote;
    QString clock;        ///< "+3 ms"
    bool isOther = false; ///< held by another owner than the one with the most
    bool operator==(const VoteRow&) const = default;
};

/// The votes of a group's servers on one lock, in the group's order.
class VoteModel final : public RowModel<VoteRow>
{
    Q_OBJECT

public:
    enum VoteColumn { ServerColumn, StateColumn, TtlColumn, ClockColumn, Total };

    explicit VoteModel(QObject* parent = nullptr);

    void show(const RedlockState& state, const std::vector<RedlockServer>& servers);
};

} // namespace lk
