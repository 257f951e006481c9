// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/jobs/agedjobs.h"

#include "backend/libraries/detect/replyvalues.h"

#include <algorithm>

namespace lk::actions {

namespace {

std::vector<Command> oldestBefore(const QByteArray& key, const QByteArray& score)
{
    const QByteArray before = '(' + score;
    return {{"ZRANGEBYSCORE", key, "-inf", before, "WITHSCORES", "LIMIT", "0",
             QByteArray::number(mostAgedJobs)},
            {"ZCOUNT", key, "-inf", before}};
}

} // namespace

Read<AgedJobs> readAgedIds(QByteArray key, QByteArray beforeScore, qint64 msPerScore)
{
    AgedJobs aged;
    const std::span<const Reply> replies = co_await askLast(oldestBefore(key, beforeScore));
    for (const ScoredMember& member : scoredMembersOf(replies[0])) {
        StoredJob job{key, {}};
        job.facts.id = member.member;
        job.facts.finishedMs = qint64(member.score) * msPerScore;
        aged.jobs.push_back(std::move(job));
    }
    aged.count = std::max<qint64>(countOf(replies[1]), qint64(aged.jobs.size()));
    co_return aged;
}

Read<AgedJobs> readAgedPayloads(QByteArray key, QByteArray beforeScore, const Primitive& queue,
                                std::optional<JobFacts> (*factsOf)(const Primitive& queue,
                                                                   const QByteArray& payload))
{
    AgedJobs aged;
    const std::span<const Reply> replies = co_await askLast(oldestBefore(key, beforeScore));
    const std::vector<ScoredMember> members = scoredMembersOf(replies[0]);
    for (const ScoredMember& member : members) {
        if (std::optional<JobFacts> facts = factsOf(queue, member.member))
            aged.jobs.push_back({key, member.member, std::move(*facts)});
    }
    aged.count = qint64(aged.jobs.size());
    aged.andMore = countOf(replies[1]) > qint64(members.size());
    co_return aged;
}

qint64 lastEndMs(const std::vector<StoredJob>& jobs)
{
    qint64 last = 0;
    for (const StoredJob& job : jobs)
        last = std::max(last, job.facts.finishedMs.value_or(0));
    return last;
}

} // namespace lk::actions
