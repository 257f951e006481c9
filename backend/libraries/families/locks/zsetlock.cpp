// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/locks/zsetlock.h"

#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/families/locks/lockreading.h"
#include "backend/libraries/families/locks/ownershape.h"
#include "backend/text/time/duration.h"

#include <algorithm>

namespace lk {

std::vector<Command> zsetLockReads(const QByteArray& key)
{
    return commandsOf(
        probecommands::ttl(key), Command{"ZCARD", key},
        Command{"ZREVRANGE", key, "0", QByteArray::number(mostLockHolders - 1), "WITHSCORES"});
}

State zsetLockState(std::span<const Reply> replies, const ZsetScores& scores,
                    const ReadContext& context)
{
    State state;
    LockState lock;
    lock.limit = scores.limit;
    const Ttl ttl = ttlOf(replies[0]);
    const std::vector<ScoredMember> members = scoredMembersOf(replies[2]);
    // The newest holder set the TTL, which gives the lease of all.
    std::optional<double> leaseMs;
    if (scores.score == ZsetScores::Moment::Taken && ttl.ms && !members.empty()) {
        leaseMs =
            double(*ttl.ms) + double(context.nowMs) - toMs(members.front().score, scores.unit);
        state.facts.push_back({LayoutText::tr("Lease"),
                               formatDuration(wholeMs(std::max(0.0, *leaseMs))), Source::Inferred});
    }
    bool exclusive = false;
    std::vector<LockHolder> holders;
    for (const ScoredMember& member : members) {
        if (!scores.exclusive.isEmpty() && member.member == scores.exclusive) {
            exclusive = true;
            continue;
        }
        LockHolder holder;
        holder.name = holderName(scores.holderOf ? scores.holderOf(member.member) : member.member);
        holder.label = ownerLabel(ownerInfoOf(holder.name, context.nowMs));
        const double ms = toMs(member.score, scores.unit);
        if (scores.score == ZsetScores::Moment::Deadline)
            holder.leaseMs = std::max<qint64>(0, wholeMs(ms) - context.nowMs);
        else
            holder.sinceMs = wholeMs(ms);
        if (leaseMs)
            holder.leaseMs = std::max<qint64>(0, wholeMs(ms + *leaseMs) - context.nowMs);
        const auto same = std::find_if(holders.begin(), holders.end(),
                                       [&](const LockHolder& h) { return h.name == holder.name; });
        if (same != holders.end())
            ++same->holds;
        else
            holders.push_back(std::move(holder));
    }
    lock.shared = scores.isLock && !exclusive && !holders.empty();
    for (LockHolder& holder : holders)
        holder.shared = lock.shared;
    if (scores.isLock && !lock.shared)
        lock.limit = 1;
    const qint64 unread = countOf(replies[1]) - qint64(members.size());
    lock.holdersTotal = qint64(holders.size()) + std::max<qint64>(0, unread);
    finalizeHolders(lock, std::move(holders));
    lock.holds += std::max<qint64>(0, unread);
    if (lock.ownerKnown)
        addOwnerFacts(state, ownerInfoOf(lock.owner, context.nowMs));
    finalizeLock(state, std::move(lock), ttl, context.nowMs);
    return state;
}

} // namespace lk
