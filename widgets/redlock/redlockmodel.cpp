// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/redlock/redlockmodel.h"

#include "backend/core/names/keyname.h"
#include "backend/core/names/namefilter.h"
#include "backend/text/errortext.h"
#include "backend/text/time/duration.h"
#include "widgets/theme/icon.h"

#include <QGuiApplication>

#include <algorithm>
#include <cstdlib>

namespace lk {

namespace {

using Standing = RedlockState::Standing;

constexpr int longestText = 200; // characters of a name or an owner in a row

bool fits(const RedlockState& state, const NameFilter& filter)
{
    return filter.isEmpty() || filter.fits(state.name) ||
           std::any_of(state.votes.begin(), state.votes.end(), [&](const RedlockVote& vote) {
               return vote.present && filter.fits(vote.owner);
           });
}

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
    return vote.present ? displayPreview(vote.owner, longestText) : VoteModel::tr("free");
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

RowColumns<VoteRow> voteColumns()
{
    using Column = RowColumn<VoteRow>;
    Column server{.title = VoteModel::tr("Server"),
                  .text = [](const VoteRow& row) { return row.vote.endpoint; },
                  .isMono = always<VoteRow>};
    Column owner{.title = VoteModel::tr("Owner"),
                 .text = [](const VoteRow& row) { return stateText(row.vote); },
                 .isMono = [](const VoteRow& row) { return row.vote.present; },
                 .icon = stateIcon};
    Column ttl{.title = VoteModel::tr("TTL"),
               .text = [](const VoteRow& row) { return ttlText(row.vote); },
               .isNumber = true};
    Column clock{.title = VoteModel::tr("Clock"),
                 .text = [](const VoteRow& row) { return row.clock; },
                 .isNumber = true,
                 .about = VoteModel::tr("How far the server's clock is from this machine's")};
    for (Column* column : {&server, &owner, &ttl, &clock})
        column->tip = tipText;
    return RowColumns<VoteRow>{server, owner, ttl, clock};
}

RowColumns<RedlockRow> redlockColumns(const bool& isBrief)
{
    using Column = RowColumn<RedlockRow>;
    Column name{
        .title = RedlockModel::tr("Name"),
        .text = [](const RedlockRow& row) { return displayPreview(row.state.name, longestText); },
        .isMono = always<RedlockRow>,
        .spoken =
            [](const RedlockRow& row) {
                return QStringLiteral("%1, %2").arg(displayPreview(row.state.name, longestText),
                                                    redlockText(row.state));
            }};
    Column state{.title = RedlockModel::tr("State"),
                 .text = [](const RedlockRow& row) { return standingText(row.state.standing); },
                 .icon =
                     [](const RedlockRow& row) {
                         return icon(standingIconName(row.state.standing),
                                     standingRole(row.state.standing), QGuiApplication::palette());
                     }};
    Column count{.title = RedlockModel::tr("Servers"), .text = [&isBrief](const RedlockRow& row) {
                     return isBrief ? RedlockModel::tr("%1 of %2")
                                          .arg(row.state.holds)
                                          .arg(row.state.votes.size())
                                    : redlockCounts(row.state);
                 }};
    Column owner{.title = RedlockModel::tr("Owner"),
                 .text =
                     [](const RedlockRow& row) {
                         return row.state.holds > 0 ? displayPreview(row.state.owner, longestText)
                                                    : QString();
                     },
                 .isMono = always<RedlockRow>};
    Column valid{.title = RedlockModel::tr("Valid for"),
                 .text = [](const RedlockRow& row) { return validityText(row.state); },
                 .isNumber = true};
    for (Column* column : {&name, &state, &count, &owner, &valid})
        column->tip = [](const RedlockRow& row) {
            return QStringLiteral("%1\n%2").arg(displayName(row.state.name),
                                                redlockText(row.state));
        };
    return RowColumns<RedlockRow>{name, state, count, owner, valid};
}

} // namespace

QString standingIconName(Standing standing)
{
    constexpr const char* names[]{"unlock", "ok", "warning", "warning", "unknown"};
    return QLatin1String(names[size_t(standing)]);
}

ColorRole standingRole(Standing standing)
{
    return standing == Standing::Held   ? ColorRole::Ok
           : standing == Standing::Free ? ColorRole::Second
                                        : ColorRole::Warning;
}

QString validityText(const RedlockState& state)
{
    if (state.standing != Standing::Held)
        return {};
    return state.validityMs ? formatDuration(*state.validityMs) : RedlockModel::tr("no TTL");
}

RedlockModel::RedlockModel(QObject* parent)
    : RowModel(redlockColumns(m_isBrief), parent)
{}

void RedlockModel::setReports(const std::vector<RedlockReportPtr>& reports, const QString& filter)
{
    const NameFilter wanted(filter.trimmed());
    std::vector<RedlockRow> all;
    for (size_t group = 0; group < reports.size(); ++group) {
        if (!reports[group])
            continue;
        for (const RedlockState& state : reports[group]->locks) {
            if (fits(state, wanted))
                all.push_back({group, state});
        }
    }
    std::stable_sort(all.begin(), all.end(), [](const RedlockRow& a, const RedlockRow& b) {
        return a.state.lacksQuorum() > b.state.lacksQuorum();
    });
    if (all == rows())
        return;
    const bool same =
        std::equal(all.begin(), all.end(), rows().begin(), rows().end(),
                   [](const RedlockRow& a, const RedlockRow& b) { return a.id() == b.id(); });
    same ? setRows(std::move(all)) : resetRows(std::move(all));
}

void RedlockModel::setBrief(bool brief)
{
    if (std::exchange(m_isBrief, brief) != brief && rowCount() > 0)
        emit dataChanged(index(0, CountColumn), index(rowCount() - 1, CountColumn));
}

int RedlockModel::rowOf(const RedlockId& id) const
{
    const auto it = std::find_if(rows().begin(), rows().end(),
                                 [&](const RedlockRow& row) { return row.id() == id; });
    return it == rows().end() ? -1 : int(it - rows().begin());
}

int RedlockModel::withoutQuorum() const
{
    return int(std::count_if(rows().begin(), rows().end(),
                             [](const RedlockRow& row) { return row.state.lacksQuorum(); }));
}

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
