// SPDX-License-Identifier: GPL-3.0-or-later
// groupmq 1.1 (https://github.com/Openpanel-dev/groupmq). groupmq:<namespace> is the stem. Jobs
// wait in the sorted set of their group, stem:g:<group>. Workers process one job of a group at a
// time. stem:groups names the groups that have jobs. A delayed job is in stem:delayed and in its
// group. A job that waits for earlier jobs of its group to arrive is in stem:stage alone. Jobs in
// progress are in stem:processing until their deadline (ms), which their worker extends.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/catalogue/groupmq/groupmqactions.h"
#include "backend/libraries/catalogue/groupmq/groupmqjobs.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/setpage.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 scoresBeginMs = 1'704'067'200'000; ///< a group's scores count from 2024 on

// The library's own beginning of each key. A client's prefix may precede it.
constexpr const char* begin = "groupmq:";
constexpr const char* wholeParts[] = {":groups",    ":ready",     ":processing", ":delayed",
                                      ":failed",    ":completed", ":paused",     ":stage",
                                      ":buffering", ":dead"};
constexpr const char* innerParts[] = {
    ":job:",    ":g:",    ":processing:", ":unique:", ":seq:",     ":sched:",   ":stalled:",
    ":repeat:", ":lock:", ":buffer:",     ":stage:",  ":cleanup:", ":promoter:"};

QByteArray groupMqStem(const QByteArray& key)
{
    const qsizetype at = key.indexOf(begin);
    if (at < 0)
        return {};
    const qsizetype name = at + qsizetype(qstrlen(begin));
    for (const char* part : innerParts) {
        if (const qsizetype end = key.indexOf(part, name); end > name)
            return key.left(end);
    }
    for (const char* part : wholeParts) {
        const qsizetype end = key.size() - qsizetype(qstrlen(part));
        if (key.endsWith(part) && end > name)
            return key.left(end);
    }
    return {};
}

class GroupMq final : public Layout
{
public:
    QByteArray id() const override { return QByteArrayLiteral("groupmq"); }
    QString title() const override { return LayoutText::tr("GroupMQ queue"); }
    Kind kind() const override { return Kind::Queue; }
    QByteArray mainRole() const override { return QByteArrayLiteral("groups"); }
    KeyType mainType() const override { return KeyType::Set; }
    bool allowsKeyActions() const override { return false; }
    bool wants(KeyType type) const override { return type == KeyType::Hash || type == mainType(); }
    std::vector<QByteArray> hashFields() const override { return {"groupId", "orderMs"}; }
    ActionList actions() const override { return actions::groupMqActions(); }
    std::vector<QByteArray> ownersOf(const QByteArray& name) const override
    {
        const QByteArray stem = groupMqStem(name);
        return stem.isEmpty() ? std::vector<QByteArray>() : std::vector{stem};
    }
    // A job proves the library. All other keys belong to its queue by name once that is known.
    std::optional<Claim> classify(const Probe& probe) const override
    {
        const QByteArray stem = groupMqStem(probe.name);
        const QByteArray* group = probe.field("groupId");
        const QByteArray* order = probe.field("orderMs");
        if (stem.isEmpty() || probe.type != KeyType::Hash ||
            !probe.name.startsWith(stem + ":job:") || !group || !order || !wholeNumber(*order))
            return std::nullopt;
        Claim claim{{id(), stem}, {{mainRole(), stem + ":groups", true}}, 0.98};
        claim.label = stem.mid(stem.indexOf(begin) + qsizetype(qstrlen(begin)));
        return claim;
    }

    Read<DecodeResult> readState(const Primitive& primitive,
                                 const ReadContext& context) const override;
    Read<std::vector<StoredJob>> readJobs(const Primitive& primitive, JobQuery query) const override
    {
        if (const GroupState* state = groupState(query.state))
            return readGroupJobs(primitive.id.name, *state, std::move(query));
        return Layout::readJobs(primitive, std::move(query));
    }
    Read<JobDetail> readJob(const Primitive& primitive, QByteArray, QByteArray job) const override
    {
        return readGroupJob(primitive.id.name, std::move(job));
    }
    QByteArray jobKey(const Primitive& primitive, const QByteArray&,
                      const QByteArray& job) const override
    {
        return groupJobKey(primitive.id.name, job);
    }
};

Read<DecodeResult> GroupMq::readState(const Primitive& primitive, const ReadContext& context) const
{
    const QByteArray& stem = primitive.id.name;
    const bool isDetail = context.depth == Depth::Detail;
    std::vector<Command> counts{firstSetPage(stem + ":groups"),
                                Command{"EXISTS", stem + ":paused"}};
    for (const GroupState& state : groupStates()) {
        if (state.key)
            counts.push_back({"ZCARD", stem + ':' + state.key});
    }
    std::vector<Command> listings{Command{"ZRANGE", stem + ":processing", "0",
                                          QByteArray::number(jobsInProgressRead - 1), "WITHSCORES"},
                                  Command{"ZRANGE", stem + ":ready", "0", "0", "WITHSCORES"},
                                  Command{"ZREVRANGE", stem + ":failed", "0",
                                          QByteArray::number(isDetail ? failuresRead - 1 : 0)}};
    if (!isDetail)
        listings.pop_back();
    const size_t counted = counts.size();
    std::move(listings.begin(), listings.end(), std::back_inserter(counts));
    const std::vector<Reply> first = co_await ask(std::move(counts));

    std::vector<QByteArray> groups = scannedMembers(first[0]);
    const bool isKnown = isWholeSet(first[0]) && qint64(groups.size()) <= groupsRead;
    if (!isKnown)
        groups.clear();
    const std::vector<ScoredMember> active = scoredMembersOf(first[counted]);
    const std::vector<ScoredMember> oldest = scoredMembersOf(first[counted + 1]);
    std::vector<QByteArray> jobs;
    for (const ScoredMember& job : active)
        jobs.push_back(job.member);
    for (const Reply& id : isDetail ? first[counted + 2].items : std::vector<Reply>())
        jobs.push_back(id.text);
    std::vector<Command> further;
    for (const QByteArray& group : groups)
        further.push_back({"ZCARD", stem + ":g:" + group});
    for (const QByteArray& job : jobs)
        further.push_back(groupJobRead(stem, job));
    const std::vector<Reply> second = co_await ask(std::move(further));

    QueueState queue;
    std::optional<qint64> inGroups = isKnown ? std::optional<qint64>(0) : std::nullopt;
    for (size_t i = 0; i < groups.size(); ++i)
        *inGroups += countOf(second[i]);
    size_t count = 2;
    for (const GroupState& state : groupStates()) {
        queue.states.push_back({state.name, state.role,
                                state.key ? std::optional(countOf(first[count++])) : inGroups});
        if (queue.states.back().name == groupDelayed && queue.states.front().count)
            *queue.states.front().count =
                std::max<qint64>(0, *inGroups - *queue.states.back().count);
    }
    queue.paused = countOf(first[1]) > 0;
    queue.stuckByLibrary = true;
    std::vector<JobFacts> failed;
    for (size_t i = 0; i < jobs.size(); ++i) {
        JobFacts facts = groupJobOf(jobs[i], second[groups.size() + i]);
        if (i >= active.size()) {
            failed.push_back(std::move(facts));
            continue;
        }
        QueueJob item;
        item.key = stem + ":processing";
        item.fingerprint = fingerprintOf(jobs[i]);
        item.facts = std::move(facts);
        item.facts.dueMs.reset();
        item.facts.leaseAlive = active[i].score >= double(context.nowMs);
        queue.stuck += item.facts.leaseAlive == false ? 1 : 0;
        queue.items.push_back(std::move(item));
    }
    queue.failures = groupsOf(failed);
    queue.failuresRead = qint64(failed.size());
    for (const ScoredMember& group : oldest)
        queue.oldestReadyMs =
            std::max<qint64>(0, context.nowMs - scoresBeginMs - qint64(group.score / 1000));
    DecodeResult reading;
    if (isKnown)
        reading.state.facts.push_back(
            {LayoutText::tr("Groups"), QString::number(groups.size()), Source::Stored});
    finalizeQueue(reading.state, std::move(queue), context.nowMs, 0);
    co_return reading;
}

} // namespace

LK_LAYOUT(groupMq, GroupMq)

} // namespace lk
