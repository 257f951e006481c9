// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/redlock/votemodel.h"

#include "backend/core/names/keyname.h"
#include "backend/text/errortext.h"
#include "backend/text/time/duration.h"
#include "widgets/theme/icon.h"

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

QString tipText(const VoteRow& row)
{
    const QString text = row.vote.endpoint + QLatin1Char('\n') + voteText(row.vote);
    return row.clock.isEmpty()
               ? text
               : text + QLatin1Char('\n') + VoteModel::tr("Clock: %1").arg(row.clock);
}

QIcon stateIcon(const VoteRow& row)
{
    const QPalette palette = QGuiApplication::palette();
    if (row.vote.error)
        return icon(QStringLiteral("error"), ColorRole::Danger, palette);
    if (!row.vote.present)
        return icon(QStringLiteral("unlock"), ColorRole::Second, palette);
    return icon(QStringLiteral("lock"), row.isOther ? ColorRole::Warning : ColorRole::Ok, palette);
}

std::vector<RowColumn<VoteRow>> voteColumns()
{
    return {{VoteModel::tr("Server"),
             [](const VoteRow& row) { return row.vote.endpoint; },
             false,
             always<VoteRow>,
             {},
             tipText},
            {VoteModel::tr("Owner"), [](const VoteRow& row) { return stateText(row.vote); }, false,
             [](const VoteRow& row) { return row.vote.present; }, stateIcon, tipText},
            {VoteModel::tr("TTL"),
             [](const VoteRow& row) { return ttlText(row.vote); },
             true,
             {},
             {},
             tipText},
            {VoteModel::tr("Clock"),
             [](const VoteRow& row) { return row.clock; },
             true,
             {},
             {},
             tipText,
             {},
             VoteModel::tr("How far the server's clock is from this machine's")}};
}

} // namespace

VoteModel::VoteModel(QObject* parent)
    : RowModel(voteColumns(), parent)
{}

void VoteModel::show(const RedlockState& state, const std::vector<RedlockServer>& servers)
{
    std::vector<VoteRow> all;
    for (size_t i = 0; i < state.votes.size(); ++i) {
        const RedlockVote& vote = state.votes[i];
        const bool known = i < servers.size() && !servers[i].error;
        all.push_back({vote, known ? offsetText(servers[i].clock) : QString(),
                       vote.present && vote.owner != state.owner});
    }
    if (all != rows())
        setRows(std::move(all));
}

} // namespace lk
