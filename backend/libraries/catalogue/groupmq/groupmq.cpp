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

constexpr size_t groupsAt = 0;
constexpr size_t countsAt = 1; // the counts of all states but the first
constexpr size_t pausedAt = countsAt + groupStateCount - 1;
constexpr size_t groupMQActiveAt = pausedAt + 1;
constexpr size_t groupMQFailuresAt = groupMQActiveAt + 1;

struct Wanted
{
    explicit Wanted(std::span<const Reply> replies, bool detail)
        : set(replies.first(1))
        , active(scoredMembersOf(replies[groupMQActiveAt]))
        , first(groupMQFailuresAt + (detail ? 1 : 0))
    {
        groups = set.ids();
        known = set.complete() && qint64(groups.size()) <= groupsRead;
        if (!known)
            groups.clear();
        if (detail) {
            for (const Reply& id : replies[groupMQFailuresAt].items)
                failed.push_back(id.text);
        }
    }
    SetPage set;
    std::vector<QByteArray> groups; ///< empty if there are too many
    bool known = false;
    std::vector<ScoredMember> active;
    std::vector<QByteArray> failed;
    size_t first;
};

class GroupMq final : public PlannedLayout
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

    std::vector<Command> jobReads(const Primitive& primitive, const JobQuery& query,
                                  std::span<const Reply> replies) const override;
    std::vector<StoredJob> jobs(const Primitive& primitive, const JobQuery& query,
                                std::span<const Reply> replies) const override;
    std::vector<Command> jobDetailReads(const Primitive& primitive, const QByteArray& state,
                                        const QByteArray& jobId,
                                        std::span<const Reply> replies) const override;
    JobDetail jobDetail(const Primitive& primitive, const QByteArray& state,
                        const QByteArray& jobId, std::span<const Reply> replies) const override;
    QByteArray jobKey(const Primitive& primitive, const QByteArray& state,
                      const QByteArray& id) const override;

protected:
    std::vector<Command> reads(const Primitive& primitive,
                               const ReadContext& context) const override;
    std::vector<Command> furtherReads(const Primitive& primitive, const ReadContext& context,
                                      std::span<const Reply> replies) const override;
    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override;
};

std::vector<Command> GroupMq::reads(const Primitive& primitive, const ReadContext& context) const
{
    const QByteArray stem = primitive.id.name + ':';
    std::vector<Command> commands{SetPage::firstRead(stem + "groups")};
    for (const GroupState& state : groupStates()) {
        if (state.key)
            commands.push_back({"ZCARD", stem + state.key});
    }
    commands.push_back({"EXISTS", stem + "paused"});
    commands.push_back({"ZRANGE", stem + "processing", "0",
                        QByteArray::number(jobsInProgressRead - 1), "WITHSCORES"});
    if (context.depth == Depth::Detail)
        commands.push_back(
            {"ZREVRANGE", stem + "failed", "0", QByteArray::number(failuresRead - 1)});
    return commands;
}

std::vector<Command> GroupMq::furtherReads(const Primitive& primitive, const ReadContext& context,
                                           std::span<const Reply> replies) const
{
    const Wanted wanted(replies, context.depth == Depth::Detail);
    const QByteArray& stem = primitive.id.name;
    std::vector<Command> commands;
    if (replies.size() != wanted.first)
        return commands;
    for (const QByteArray& group : wanted.groups)
        commands.push_back({"ZCARD", stem + ":g:" + group});
    for (const ScoredMember& job : wanted.active)
        commands.push_back(groupJobRead(stem, job.member));
    for (const QByteArray& job : wanted.failed)
        commands.push_back(groupJobRead(stem, job));
    commands.push_back({"ZRANGE", stem + ":ready", "0", "0", "WITHSCORES"});
    return commands;
}

DecodeResult GroupMq::read(const Primitive& primitive, std::span<const Reply> replies,
                           const ReadContext& context) const
{
    DecodeResult reading;
    QueueState queue;
    const Wanted wanted(replies, context.depth == Depth::Detail);
    size_t next = wanted.first;
    std::optional<qint64> inGroups = wanted.known ? std::optional<qint64>(0) : std::nullopt;
    for (size_t i = 0; i < wanted.groups.size() && next < replies.size(); ++i)
        *inGroups += countOf(replies[next++]);
    size_t count = countsAt;
    for (const GroupState& state : groupStates()) {
        queue.states.push_back({state.name, state.role,
                                state.key ? std::optional(countOf(replies[count++])) : inGroups});
        if (queue.states.back().name == groupDelayed && queue.states.front().count)
            *queue.states.front().count =
                std::max<qint64>(0, *inGroups - *queue.states.back().count);
    }
    queue.paused = countOf(replies[pausedAt]) > 0;
    queue.stuckByLibrary = true;
    for (const ScoredMember& job : wanted.active) {
        if (next >= replies.size())
            break;
        QueueJob item;
        item.key = primitive.id.name + ":processing";
        item.fingerprint = fingerprintOf(job.member);
        item.facts = groupJobOf(job.member, replies[next++]);
        item.facts.dueMs.reset();
        item.facts.leaseAlive = job.score >= double(context.nowMs);
        queue.stuck += item.facts.leaseAlive == false ? 1 : 0;
        queue.items.push_back(std::move(item));
    }
    std::vector<JobFacts> failed;
    for (const QByteArray& job : wanted.failed) {
        if (next < replies.size())
            failed.push_back(groupJobOf(job, replies[next++]));
    }
    queue.failures = groupsOf(failed);
    queue.failuresRead = qint64(failed.size());
    if (next < replies.size()) {
        for (const ScoredMember& group : scoredMembersOf(replies[next]))
            queue.oldestReadyMs =
                std::max<qint64>(0, context.nowMs - scoresBeginMs - qint64(group.score / 1000));
    }
    if (wanted.known)
        reading.state.facts.push_back(
            {LayoutText::tr("Groups"), QString::number(wanted.groups.size()), Source::Stored});
    finalizeQueue(reading.state, std::move(queue), context.nowMs, 0);
    return reading;
}

std::vector<Command> GroupMq::jobReads(const Primitive& primitive, const JobQuery& query,
                                       std::span<const Reply> replies) const
{
    const GroupState* state = groupState(query.state);
    return state ? groupJobReads(primitive.id.name, *state, query, replies)
                 : std::vector<Command>();
}

std::vector<StoredJob> GroupMq::jobs(const Primitive& primitive, const JobQuery& query,
                                     std::span<const Reply> replies) const
{
    const GroupState* state = groupState(query.state);
    return state ? groupJobs(primitive.id.name, *state, query, replies) : std::vector<StoredJob>();
}

std::vector<Command> GroupMq::jobDetailReads(const Primitive& primitive, const QByteArray&,
                                             const QByteArray& jobId,
                                             std::span<const Reply> replies) const
{
    return groupJobDetailReads(primitive.id.name, jobId, replies);
}

JobDetail GroupMq::jobDetail(const Primitive&, const QByteArray&, const QByteArray& jobId,
                             std::span<const Reply> replies) const
{
    return groupJobDetail(jobId, replies);
}

QByteArray GroupMq::jobKey(const Primitive& primitive, const QByteArray&,
                           const QByteArray& id) const
{
    return groupJobKey(primitive.id.name, id);
}

} // namespace

namespace layouts {
const Layout& groupMq()
{
    static const GroupMq layout;
    return layout;
}
} // namespace layouts

} // namespace lk
