// SPDX-License-Identifier: GPL-3.0-or-later
// asynq (https://github.com/hibiken/asynq): lists and sets of task ids for each queue, a hash for
// each task with its message in Protocol Buffers, and leases that workers extend.
#include "backend/libraries/catalogue/asynq/asynqactions.h"
#include "backend/libraries/catalogue/asynq/asynqnames.h"
#include "backend/libraries/catalogue/asynq/protobuf.h"
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/detect/siblingkeys.h"
#include "backend/libraries/detect/valueshape.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/keyedqueue.h"
#include "backend/text/time/duration.h"

#include <algorithm>

namespace lk {

namespace {

using Shape = JobsKey::Shape;

constexpr qint64 serversRead = 16;
constexpr qint64 groupsRead = 32;
constexpr size_t serversAsked = 8;       // for the tasks they work on
constexpr qint64 serverLeaseMs = 10'000; // a server's entry lasts two heartbeats
constexpr qint64 leaseGraceMs = 30'000;  // asynq's own, for clocks that differ
constexpr qsizetype asynqNameBytes = 128;

// Field numbers of asynq's TaskMessage and ServerInfo.
enum TaskField : quint64 {
    TaskType = 1,
    TaskPayload = 2,
    TaskRetry = 5,
    TaskRetried = 6,
    TaskError = 7,
    TaskLastFailed = 11,
    TaskCompleted = 13,
};
enum ServerField : quint64 { ServerHost = 1, ServerPid = 2, ServerQueues = 5, ServerActive = 9 };

// The positions of setting()'s replies.
enum Setting : size_t { Paused, Processed, Failed, Servers, Groups };

struct StateKey
{
    const char* name;
    JobRole role;
    Shape shape;
};
constexpr StateKey stateKeys[] = {
    {"pending", JobRole::Ready, Shape::FromRight},
    {"active", JobRole::Processing, Shape::FromRight},
    {"scheduled", JobRole::Delayed, Shape::Sorted},
    {"retry", JobRole::Delayed, Shape::Sorted},
    {"archived", JobRole::Dead, Shape::Newest},
    {"completed", JobRole::Done, Shape::Newest},
};

bool fits(const QByteArray& part, KeyType type)
{
    if (part == "pending" || part == "active")
        return type == KeyType::List;
    if (part == "t")
        return type == KeyType::Hash;
    if (part == "groups")
        return type == KeyType::Set;
    if (part == "paused" || part == "processed" || part == "failed" || part == "unique")
        return type == KeyType::String;
    return type == KeyType::ZSet;
}

std::optional<qint64> secondsMs(std::optional<qint64> seconds)
{
    return seconds.value_or(0) > 0 ? std::optional(*seconds * 1000) : std::nullopt;
}

class Asynq final : public KeyedQueue, public KeyHints, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("asynq"); }
    QString title() const override { return LayoutText::tr("asynq queue"); }
    QByteArray mainRole() const override { return QByteArrayLiteral("pending"); }
    KeyType mainType() const override { return KeyType::List; }
    bool wants(KeyType type) const override
    {
        return type != KeyType::None && type != KeyType::Other && type != KeyType::Stream;
    }
    ActionList actions() const override { return actions::asynqActions(); }

    std::vector<QByteArray> nameParts(KeyType) const override
    {
        return {":{", "queues", "servers", "workers", "schedulers", "scheduler_history"};
    }
    std::vector<QByteArray> siblings(const QByteArray& name, KeyType) const override
    {
        const AsynqName key = asynqNameOf(name);
        if (key.space.isEmpty() || key.part.isEmpty())
            return {};
        if (key.part == "queues")
            return {key.space + "servers"};
        return {key.space + "queues"};
    }

    std::vector<QByteArray> ownersOf(const QByteArray& name) const override
    {
        const AsynqName key = asynqNameOf(name);
        if (key.queue.isEmpty())
            return key.part.isEmpty() || key.part == "queues" ? std::vector<QByteArray>()
                                                              : std::vector{key.space};
        return key.part.isEmpty() ? std::vector<QByteArray>() : std::vector{key.stem()};
    }
    QByteArray stemOf(const QByteArray& name) const override { return asynqNameOf(name).space; }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        const AsynqName key = asynqNameOf(probe.name);
        if (key.part.isEmpty())
            return std::nullopt;
        const bool listed = probe.sibling(key.space + "queues") == KeyType::Set;
        if (key.queue.isEmpty()) {
            if (key.part == "queues") {
                const std::vector<Claim> claims = alsoNamed(probe);
                return claims.empty() ? std::nullopt : std::optional(claims.front());
            }
            // None of its other keys is a set, unlike Resque's workers.
            return listed && probe.type != KeyType::Set
                       ? std::optional(Claim{{id(), key.space}, {}, 0.95, {}})
                       : std::nullopt;
        }
        if (!fits(key.part, probe.type))
            return std::nullopt;
        const bool own = key.space.endsWith("asynq:");
        const bool task = key.part == "t" && hasNames(probe, {"msg", "state"});
        const bool ids =
            isUuid(probe.first) || (!probe.members.empty() && isUuid(probe.members[0].member));
        if (!task && !(listed && (own || ids))) {
            // The key does not prove a queue, but it belongs to no other library.
            const bool part = listed && (probe.type == KeyType::String || key.part == "groups");
            return part ? std::optional(Claim{{id(), key.stem()}, {}, 0.95, {}}) : std::nullopt;
        }
        return claimOf(probe, key.space, key.queue, key.rest.isEmpty() ? key.part : QByteArray());
    }

    std::vector<Claim> alsoNamed(const Probe& probe) const override
    {
        std::vector<Claim> claims;
        const AsynqName key = asynqNameOf(probe.name);
        const bool proven =
            key.space.endsWith("asynq:") || probe.sibling(key.space + "servers") == KeyType::ZSet;
        if (key.part != "queues" || probe.type != KeyType::Set || !proven)
            return claims;
        for (const QByteArray& queue : probe.sample) {
            claims.push_back(claimOf(probe, key.space, queue, {}));
            claims.back().keys.push_back({"queues", probe.name});
        }
        return claims;
    }

protected:
    JobNumbers numbers() const override { return JobNumber::Throughput; }
    std::vector<Command> setting(const Primitive& primitive) const override
    {
        const QByteArray stem = primitive.id.name + ':';
        const QByteArray space = asynqNameOf(primitive.id.name).space;
        return {
            {"GETRANGE", stem + "paused", "0", "20"},
            {"GETRANGE", stem + "processed", "0", "20"},
            {"GETRANGE", stem + "failed", "0", "20"},
            {"ZRANGE", space + "servers", "0", QByteArray::number(serversRead - 1), "WITHSCORES"},
            {"SRANDMEMBER", stem + "groups", QByteArray::number(groupsRead)}};
    }
    std::vector<Command> furtherSetting(const Primitive&,
                                        const QueueSetting& setting) const override
    {
        std::vector<Command> commands;
        for (const ScoredMember& server : scoredMembersOf(setting.first[Servers]))
            commands.push_back({"GETRANGE", server.member, "0", "65535"});
        return commands;
    }

    std::vector<JobsKey> jobKeys(const Primitive& primitive,
                                 const QueueSetting& setting) const override
    {
        std::vector<JobsKey> keys;
        for (const StateKey& state : stateKeys)
            keys.push_back(
                {state.name, state.role, primitive.id.name + ':' + state.name, state.shape});
        for (const Reply& group : setting.first[Groups].items)
            keys.push_back({"aggregating", JobRole::Delayed, primitive.id.name + ":g:" + group.text,
                            Shape::Sorted});
        return keys;
    }
    JobStore storeOf(const Primitive& primitive, const JobsKey&,
                     const QByteArray& element) const override
    {
        return {primitive.id.name + ":t:" + element, "msg"};
    }

    std::vector<Command> readsOfJob(const Primitive& primitive, const JobsKey& key,
                                    const QueueSetting& setting,
                                    const QByteArray& element) const override
    {
        std::vector<Command> commands{
            {"HMGET", primitive.id.name + ":t:" + element, "pending_since", "group"}};
        if (key.role != JobRole::Processing)
            return commands;
        commands.push_back({"ZSCORE", primitive.id.name + ":lease", element});
        for (const QByteArray& workers : workerKeys(setting))
            commands.push_back({"HEXISTS", workers, element});
        return commands;
    }

    std::optional<JobFacts> jobOf(const Primitive&, const JobsKey& key, const QueueSetting& setting,
                                  const JobRead& read) const override
    {
        JobFacts job;
        job.id = read.element;
        if (const auto task = protoFieldsOf(read.stored); task && !read.stored.isEmpty()) {
            job.name = protoBytes(*task, TaskType).left(asynqNameBytes);
            job.error = firstLine(protoBytes(*task, TaskError));
            job.attempts = protoNumber(*task, TaskRetried).value_or(0);
            job.mostAttempts = protoNumber(*task, TaskRetry);
            job.finishedMs = secondsMs(protoNumber(*task, TaskCompleted));
            if (!job.finishedMs && key.role == JobRole::Dead)
                job.finishedMs = secondsMs(protoNumber(*task, TaskLastFailed));
        }
        if (key.role == JobRole::Delayed && read.score && key.state != "aggregating")
            job.dueMs = qint64(*read.score * 1000);
        if (key.role == JobRole::Dead && read.score)
            job.finishedMs = qint64(*read.score * 1000);
        if (!read.replies.empty())
            job.enqueuedMs = timeMs(fieldText(read.replies[0], 0));
        if (key.role == JobRole::Processing && read.replies.size() > 1)
            takeLease(job, setting, read.replies.subspan(1));
        return job;
    }

    void addDetail(const JobRead& read, JobDetail& detail) const override
    {
        const auto task = protoFieldsOf(read.stored);
        if (!task)
            return;
        detail.payload = protoBytes(*task, TaskPayload);
        if (const QByteArray error = protoBytes(*task, TaskError); error.contains('\n'))
            detail.stack = error;
    }

    void finish(const Primitive& primitive, State& state, QueueState& queue,
                const QueueSetting& setting) const override
    {
        takePause(state, queue, setting);
        // The number of processed tasks includes the failed ones.
        if (const std::optional<qint64> processed = integerOf(setting.first[Processed])) {
            queue.failedTotal = integerOf(setting.first[Failed]).value_or(0);
            queue.completedTotal = std::max<qint64>(0, *processed - *queue.failedTotal);
            queue.rateSource = RateSource::Totals;
        }
        const QByteArray name = asynqNameOf(primitive.id.name).queue;
        queue.workersKnown = !setting.first[Servers].isError();
        const std::vector<ScoredMember> servers = scoredMembersOf(setting.first[Servers]);
        for (size_t i = 0; i < servers.size(); ++i) {
            const QByteArray info = i < setting.second.size() && setting.second[i].isText()
                                        ? setting.second[i].text
                                        : QByteArray();
            if (auto worker = workerOf(servers[i], info, name, setting.nowMs)) {
                worker->jobs = std::count_if(
                    queue.items.begin(), queue.items.end(),
                    [&](const QueueJob& item) { return item.facts.worker == worker->name; });
                queue.workers.push_back(std::move(*worker));
            }
        }
    }

private:
    // The key of a paused queue contains the time at which it was paused, in seconds.
    static void takePause(State& state, QueueState& queue, const QueueSetting& setting)
    {
        const QByteArray& pause = setting.first[Paused].text;
        queue.paused = setting.first[Paused].isText() && !pause.isEmpty();
        const std::optional<qint64> sinceMs = queue.paused ? timeMs(pause) : std::nullopt;
        queue.pausedSinceMs = sinceMs;
        if (sinceMs)
            state.facts.push_back({LayoutText::tr("Paused for"),
                                   formatDuration(std::max<qint64>(0, setting.nowMs - *sinceMs)),
                                   Source::Stored});
    }

    static bool hasNames(const Probe& probe, std::initializer_list<const char*> names)
    {
        return std::all_of(names.begin(), names.end(), [&](const char* name) {
            return std::find(probe.fieldNames.begin(), probe.fieldNames.end(), name) !=
                   probe.fieldNames.end();
        });
    }

    Claim claimOf(const Probe& probe, const QByteArray& space, const QByteArray& queue,
                  const QByteArray& part) const
    {
        const QByteArray stem = space + '{' + queue + '}';
        const QByteArray main = stem + ":pending";
        Claim claim{{id(), stem}, {{mainRole(), main, probe.name != main}}, 0.97, queue};
        if (!part.isEmpty() && probe.name != main)
            claim.keys.push_back({part, probe.name});
        return claim;
    }

    // The hashes of the tasks in progress of each server, beside the servers' own keys.
    static std::vector<QByteArray> workerKeys(const QueueSetting& setting)
    {
        std::vector<QByteArray> keys;
        for (const ScoredMember& server : scoredMembersOf(setting.first[Servers])) {
            QByteArray key = server.member;
            const qsizetype at = key.lastIndexOf("servers:{");
            if (at >= 0 && keys.size() < serversAsked)
                keys.push_back(key.replace(at, 7, "workers"));
        }
        return keys;
    }
    // host:pid:id, as asynq names it.
    static QByteArray serverName(const QByteArray& key)
    {
        const qsizetype open = key.indexOf('{');
        return open < 0 ? key : key.mid(open + 1, key.size() - open - 2);
    }

    // asynq itself takes a task back only when its lease has been over for a while.
    static void takeLease(JobFacts& job, const QueueSetting& setting,
                          std::span<const Reply> replies)
    {
        const std::optional<double> until =
            replies[0].isText() ? scoreOf(replies[0].text) : std::nullopt;
        if (until)
            job.leaseAlive = *until * 1000 + leaseGraceMs > double(setting.nowMs);
        else if (!replies[0].isError())
            job.leaseAlive = false;
        const std::vector<QByteArray> keys = workerKeys(setting);
        for (size_t i = 0; i < keys.size() && i + 1 < replies.size(); ++i) {
            if (countOf(replies[i + 1]) > 0)
                job.worker = serverName(keys[i]);
        }
    }

    static std::optional<QueueWorker> workerOf(const ScoredMember& server, const QByteArray& info,
                                               const QByteArray& queue, qint64 nowMs)
    {
        QueueWorker worker;
        worker.name = serverName(server.member);
        const QList<QByteArray> parts = worker.name.split(':');
        worker.host = parts.value(0);
        worker.process = parts.value(1);
        const auto untilMs = qint64(server.score * 1000);
        worker.alive = untilMs > nowMs;
        worker.lastSeenMs = untilMs - serverLeaseMs;
        const auto fields = protoFieldsOf(info);
        bool serves = !fields || info.isEmpty();
        for (const ProtoField& field : fields.value_or(std::vector<ProtoField>())) {
            if (field.number != ServerQueues)
                continue;
            const auto entry = protoFieldsOf(field.bytes);
            serves = serves || (entry && protoBytes(*entry, 1) == queue);
        }
        return serves ? std::optional(worker) : std::nullopt;
    }
};

} // namespace

LK_LAYOUT(asynq, Asynq)

} // namespace lk
