// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/redlock/redlock.h"
#include "widgets/controls/tables/rowmodel.h"
#include "widgets/theme/themecolors.h"

namespace lk {

/// A lock of a group, by its name. A value.
struct RedlockId
{
    size_t group = 0;
    QByteArray name;

    bool operator==(const RedlockId&) const = default;
};

/// A lock and its group.
struct RedlockRow
{
    size_t group = 0;
    RedlockState state;

    RedlockId id() const { return {group, state.name}; }
    bool operator==(const RedlockRow&) const = default;
};

/// The locks that groups of servers hold together, one a row: those in trouble first, then by name.
class RedlockModel final : public RowModel<RedlockRow>
{
    Q_OBJECT

public:
    enum RedlockColumn { NameColumn, StateColumn, CountColumn, OwnerColumn, ValidColumn, Total };

    explicit RedlockModel(QObject* parent = nullptr);

    /// filter: part of the name or of an owner; empty: all.
    void setReports(const std::vector<RedlockReportPtr>& reports, const QString& filter);

    /// In brief mode, a row shows only the number of servers that its owner has.
    bool isBrief() const { return m_isBrief; }
    void setBrief(bool brief);

    int rowOf(const RedlockId& id) const; ///< -1: not among the rows
    int withoutQuorum() const;            ///< rows without a quorum

private:
    bool m_isBrief = false;
};

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

/// Icon and colour of a standing. The icons differ without colour, too.
QString standingIconName(RedlockState::Standing standing);
ColorRole standingRole(RedlockState::Standing standing);
/// Returns "9 m 52 s", or the text in its place. Translated.
QString validityText(const RedlockState& state);

} // namespace lk
