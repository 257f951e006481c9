// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/redlock/votemodel.h"

#include "backend/core/names/keyname.h"
#include "backend/text/errortext.h"
#include "backend/text/time/duration.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"

#include <QGuiApplication>

#include <cstdlib>

namespace lk {

namespace {

// As the header says it of the server that the window is connected to.
QString offsetText(const ServerClock& clock)
{
    if (!clock.known())
        return {};
    const QString sign = clock.offsetMs < 0 ? QStringLiteral("\u2212") : QStringLiteral("+");
    return sign + formatDuration(std::abs(clock.offsetMs));
}

QString ttlText(const RedlockVote& vote)
{
    if (vote.error || !vote.present)
        return {};
    return vote.ttlMs < 0 ? VoteModel::tr("no TTL") : formatDuration(vote.ttlMs);
}

QString stateText(const RedlockVote& vote)
{
    if (vote.error)
        return VoteModel::tr("unreachable: %1").arg(errorText(*vote.error));
    return vote.present ? displayPreview(vote.owner, 200) : VoteModel::tr("free");
}

} // namespace

void VoteModel::show(const RedlockState& state, const std::vector<RedlockServer>& servers)
{
    std::vector<Row> rows;
    for (size_t i = 0; i < state.votes.size(); ++i) {
        const RedlockVote& vote = state.votes[i];
        const bool known = i < servers.size() && !servers[i].error;
        rows.push_back({vote, known ? offsetText(servers[i].clock) : QString(),
                        vote.present && vote.owner != state.owner});
    }
    if (rows == m_rows)
        return;
    const bool same = rows.size() == m_rows.size();
    if (!same)
        beginResetModel();
    m_rows = std::move(rows);
    if (!same)
        endResetModel();
    else
        emit dataChanged(index(0, 0), index(rowCount() - 1, Total - 1));
}

int VoteModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int VoteModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : Total;
}

QVariant VoteModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Row& row = m_rows[size_t(index.row())];
    const bool number = index.column() == TtlColumn || index.column() == ClockColumn;
    const QPalette palette = QGuiApplication::palette();
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case ServerColumn:
            return row.vote.endpoint;
        case StateColumn:
            return stateText(row.vote);
        case TtlColumn:
            return ttlText(row.vote);
        default:
            return row.clock;
        }
    case Qt::FontRole:
        return index.column() == ServerColumn || (index.column() == StateColumn && row.vote.present)
                   ? QVariant(monoFont(TextSize::Body))
                   : QVariant();
    case Qt::DecorationRole:
        if (index.column() != StateColumn)
            return {};
        if (row.vote.error)
            return icon(QStringLiteral("error"), ColorRole::Danger, palette);
        if (!row.vote.present)
            return icon(QStringLiteral("unlock"), ColorRole::Second, palette);
        return icon(QStringLiteral("lock"), row.isOther ? ColorRole::Warning : ColorRole::Ok,
                    palette);
    case Qt::TextAlignmentRole:
        return number ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case Qt::ToolTipRole:
        return plainTip(
            row.clock.isEmpty()
                ? QStringLiteral("%1\n%2").arg(row.vote.endpoint, voteText(row.vote))
                : QStringLiteral("%1\n%2\n%3")
                      .arg(row.vote.endpoint, voteText(row.vote), tr("Clock: %1").arg(row.clock)));
    default:
        return {};
    }
}

QVariant VoteModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole && (section == TtlColumn || section == ClockColumn))
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section == ClockColumn)
        return tr("How far the server's clock is from this machine's");
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case ServerColumn:
        return tr("Server");
    case StateColumn:
        return tr("Owner");
    case TtlColumn:
        return tr("TTL");
    default:
        return tr("Clock");
    }
}

} // namespace lk
