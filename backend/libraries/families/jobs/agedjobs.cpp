// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/jobs/agedjobs.h"

#include "backend/libraries/detect/replyvalues.h"

#include <algorithm>

namespace lk::actions {

std::vector<Command> agedReads(const QByteArray& key, const QByteArray& beforeScore,
                               std::span<const Reply> replies)
{
    if (!replies.empty())
        return {};
    const QByteArray before = '(' + beforeScore;
    return {{"ZRANGEBYSCORE", key, "-inf", before, "WITHSCORES", "LIMIT", "0",
             QByteArray::number(mostAgedJobs)},
            {"ZCOUNT", key, "-inf", before}};
}

AgedJobs agedIds(const QByteArray& key, qint64 msPerScore, std::span<const Reply> replies)
{
    AgedJobs aged;
    if (replies.size() < 2)
        return aged;
    for (const ScoredMember& member : scoredMembersOf(replies[0])) {
        StoredJob job{key, {}};
        job.facts.id = member.member;
        job.facts.finishedMs = qint64(member.score) * msPerScore;
        aged.jobs.push_back(std::move(job));
    }
    aged.count = std::max<qint64>(countOf(replies[1]), qint64(aged.jobs.size()));
    return aged;
}

AgedJobs agedPayloads(const QByteArray& key, const Primitive& queue, std::span<const Reply> replies,
                      std::optional<JobFacts> (*factsOf)(const Primitive& queue,
                                                         const QByteArray& payload))
{
    AgedJobs aged;
    if (replies.size() < 2)
        return aged;
    const std::vector<ScoredMember> members = scoredMembersOf(replies[0]);
    for (const ScoredMember& member : members) {
        if (std::optional<JobFacts> facts = factsOf(queue, member.member))
            aged.jobs.push_back({key, member.member, std::move(*facts)});
    }
    aged.count = qint64(aged.jobs.size());
    aged.andMore = countOf(replies[1]) > qint64(members.size());
    return aged;
}

qint64 lastEndMs(const std::vector<StoredJob>& jobs)
{
    qint64 last = 0;
    for (const StoredJob& job : jobs)
        last = std::max(last, job.facts.finishedMs.value_or(0));
    return last;
}

} // namespace lk::actions
