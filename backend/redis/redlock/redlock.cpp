// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/redlock/redlock.h"

#include "backend/core/names/keyname.h"
#include "backend/text/errortext.h"
#include "backend/text/time/duration.h"

#include <QCoreApplication>

#include <algorithm>
#include <limits>
#include <map>

namespace lk {

namespace {

struct RedlockText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Redlock)
};

using Standing = RedlockState::Standing;

constexpr qint64 noEnd = std::numeric_limits<qint64>::max();
constexpr int longestOwner = 80; // characters that are shown

qint64 lessDrift(qint64 ms)
{
    return std::max<qint64>(0, ms - ms / 100 - 2);
}

} // namespace

namespace redlockadvice {
const char split[] = QT_TRANSLATE_NOOP(
    "lk::Redlock",
    "No client can acquire it until some of these keys expire. Clients that try at the "
    "same time must release what they acquired, and retry after a random delay.");
const char noQuorum[] = QT_TRANSLATE_NOOP(
    "lk::Redlock", "It is left over from a failed attempt, or from an owner that lost "
                   "servers, and blocks other clients until it expires. An owner that is "
                   "still working no longer holds the lock.");
const char silentServers[] =
    QT_TRANSLATE_NOOP("lk::Redlock", "Bring back the servers that do not answer.");
} // namespace redlockadvice

std::vector<RedlockGroup> withPassword(std::vector<RedlockGroup> groups, const QString& password)
{
    for (RedlockGroup& group : groups) {
        std::optional<QString> user; // of the first that came without a password
        for (ServerUrl& url : group.servers) {
            if (!url.password.isEmpty())
                continue;
            user = user.value_or(url.user);
            if (url.user == *user)
                url.password = password;
        }
    }
    return groups;
}

size_t RedlockReport::answering() const
{
    return size_t(std::count_if(servers.begin(), servers.end(),
                                [](const RedlockServer& server) { return !server.error; }));
}

const RedlockState* RedlockReport::lock(const QByteArray& name) const
{
    const auto it = std::lower_bound(
        locks.begin(), locks.end(), name,
        [](const RedlockState& state, const QByteArray& wanted) { return state.name < wanted; });
    return it != locks.end() && it->name == name ? &*it : nullptr;
}

RedlockState RedlockReport::stateOf(const QByteArray& name) const
{
    if (const RedlockState* known = lock(name))
        return *known;
    std::vector<RedlockVote> votes;
    for (const RedlockServer& server : servers)
        votes.push_back({server.endpoint, server.error});
    return countVotes(name, std::move(votes), group.quorum());
}

RedlockState countVotes(QByteArray name, std::vector<RedlockVote> votes, size_t quorum)
{
    RedlockState state;
    state.name = std::move(name);
    state.quorum = quorum;
    std::map<QByteArray, std::vector<qint64>> leases; // by owner: the TTL on each server
    int present = 0;
    for (const RedlockVote& vote : votes) {
        state.unreachable += vote.error ? 1 : 0;
        if (vote.error || !vote.present)
            continue;
        leases[vote.owner].push_back(vote.ttlMs < 0 ? noEnd : vote.ttlMs);
        ++present;
    }
    for (const auto& [owner, ttls] : leases) {
        if (int(ttls.size()) <= state.holds)
            continue;
        state.owner = owner;
        state.holds = int(ttls.size());
    }
    state.others = present - state.holds;
    const bool enough = votes.size() - size_t(state.unreachable) >= quorum;
    const int possible = state.holds + state.unreachable;
    if (state.holds >= int(quorum)) {
        state.standing = Standing::Held;
        std::vector<qint64>& ttls = leases[state.owner];
        std::sort(ttls.begin(), ttls.end(), std::greater<>());
        // When it expires on this server, one server too few has it.
        if (const qint64 last = ttls[quorum - 1]; last != noEnd)
            state.validityMs = lessDrift(last);
    } else if (!enough || (present > 0 && possible >= int(quorum))) {
        state.standing = Standing::Unknown;
    } else if (present == 0) {
        state.standing = Standing::Free;
    } else {
        state.standing = leases.size() > 1 ? Standing::Split : Standing::NoQuorum;
    }
    state.votes = std::move(votes);
    return state;
}

QString standingId(Standing standing)
{
    constexpr const char* ids[]{"free", "held", "no-quorum", "split", "unknown"};
    return QLatin1String(ids[size_t(standing)]);
}

QString redlockText(const RedlockState& state)
{
    const QString owner = displayPreview(state.owner, longestOwner);
    const QString holds = QString::number(state.holds);
    const QString all = QString::number(state.votes.size());
    const QString quorum = QString::number(state.quorum);
    QString text;
    switch (state.standing) {
    case Standing::Free:
        text = RedlockText::tr("free");
        break;
    case Standing::Held:
        text = state.validityMs
                   ? RedlockText::tr("held by %1 on %2 of %3, valid for %4")
                         .arg(owner, holds, all, formatDuration(*state.validityMs))
                   : RedlockText::tr("held by %1 on %2 of %3, no TTL").arg(owner, holds, all);
        if (state.others > 0)
            text += RedlockText::tr("; other owners on %1").arg(state.others);
        break;
    case Standing::NoQuorum:
        text =
            RedlockText::tr("no owner: %1 has %2 of %3, quorum %4").arg(owner, holds, all, quorum);
        break;
    case Standing::Split:
        text =
            RedlockText::tr("no owner: split between owners; %1 has the most (%2 of %3, quorum %4)")
                .arg(owner, holds, all, quorum);
        break;
    case Standing::Unknown:
        text = state.owner.isEmpty()
                   ? RedlockText::tr("unknown")
                   : RedlockText::tr("unknown: %1 has %2 of %3").arg(owner, holds, all);
        break;
    }
    if (state.unreachable > 0)
        text += RedlockText::tr("; servers that do not answer: %1").arg(state.unreachable);
    return text;
}

QString redlockCounts(const RedlockState& state)
{
    QStringList rest;
    if (state.others > 0)
        rest << RedlockText::tr("%1 other owner").arg(state.others);
    if (state.free() > 0)
        rest << RedlockText::tr("%1 free").arg(state.free());
    if (state.unreachable > 0)
        rest << RedlockText::tr("%1 unreachable").arg(state.unreachable);
    const QString held = RedlockText::tr("%1 of %2").arg(state.holds).arg(state.votes.size());
    return rest.isEmpty() ? held
                          : QStringLiteral("%1; %2").arg(held, rest.join(QStringLiteral(", ")));
}

QString standingText(Standing standing)
{
    switch (standing) {
    case Standing::Free:
        return RedlockText::tr("free");
    case Standing::Held:
        return RedlockText::tr("quorum reached");
    case Standing::NoQuorum:
        return RedlockText::tr("no quorum");
    case Standing::Split:
        return RedlockText::tr("split between owners");
    case Standing::Unknown:
        break;
    }
    return RedlockText::tr("unknown");
}

QString voteText(const RedlockVote& vote)
{
    if (vote.error)
        return errorText(*vote.error);
    if (!vote.present)
        return RedlockText::tr("free");
    const QString owner = displayPreview(vote.owner, longestOwner);
    return vote.ttlMs < 0
               ? RedlockText::tr("held by %1, no TTL").arg(owner)
               : RedlockText::tr("held by %1, TTL %2").arg(owner, formatDuration(vote.ttlMs));
}

QString redlockAdvice(Standing standing)
{
    const char* advice = standing == Standing::Split      ? redlockadvice::split
                         : standing == Standing::NoQuorum ? redlockadvice::noQuorum
                         : standing == Standing::Unknown  ? redlockadvice::silentServers
                                                          : nullptr;
    return QCoreApplication::translate("lk::Redlock", advice);
}

} // namespace lk
