// SPDX-License-Identifier: GPL-3.0-or-later
// kue 0.11 (https://github.com/Automattic/kue). The jobs of one type are a queue; a process serves
// a type. Sorted sets <prefix>:jobs:<type>:<state> contain "NN|<id>" by priority. NN is the number
// of digits of the id, so that jobs of one priority stay in their order. Each job is a hash
// <prefix>:job:<id>. The sets <prefix>:jobs:<state> contain the jobs of all types. Their score is
// the time at which a delayed job is due (ms) or the TTL of a job in progress ends (ms), if it has
// one. Only a job with a TTL can be detected as stuck.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/catalogue/kue/kueactions.h"
#include "backend/libraries/catalogue/kue/kuejobs.h"
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/detect/siblingkeys.h"
#include "backend/libraries/families/jobs/jobqueue.h"

#include <algorithm>

namespace lk {

namespace {

// A key <prefix>:jobs:<type>:<state>. The prefix may also contain ":jobs:". Empty for other names.
struct KueName
{
    QByteArray prefix;
    QByteArray type;
    const KueState* state = nullptr;
};

KueName kueNameOf(const QByteArray& key)
{
    const qsizetype jobs = key.lastIndexOf(":jobs:");
    const qsizetype colon = key.lastIndexOf(':');
    if (jobs <= 0 || colon <= jobs + 6)
        return {};
    return {key.left(jobs), key.mid(jobs + 6, colon - jobs - 6), kueState(key.mid(colon + 1))};
}

// Reads when the TTL of a job in progress ends. isAlive() returns whether it has not ended yet, or
// nothing if the job has no TTL.
Command endRead(const QByteArray& prefix, const QByteArray& member)
{
    return {"ZSCORE", prefix + ":jobs:active", member};
}

std::optional<bool> isAlive(const Reply& end, qint64 nowMs)
{
    const auto score = end.isText() ? scoreOf(end.text) : std::nullopt;
    if (!score || timeUnitOf(*score) != TimeUnit::Milliseconds)
        return std::nullopt;
    return *score >= double(nowMs);
}

// "kue:<host>:<pid>:<type>:<n>"
QueueWorker workerOf(const QByteArray& id)
{
    QueueWorker worker;
    worker.name = id;
    const QList<QByteArray> parts = id.split(':');
    if (parts.size() >= 5 && parts[0] == "kue") {
        worker.host = parts[1];
        worker.process = parts[2];
    }
    return worker;
}

class Kue final : public PlannedLayout, public KeyHints, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("kue"); }
    QString title() const override { return LayoutText::tr("kue queue"); }
    Kind kind() const override { return Kind::Queue; }
    QByteArray mainRole() const override { return QByteArrayLiteral("inactive"); }
    KeyType mainType() const override { return KeyType::ZSet; }
    bool allowsKeyActions() const override { return false; }
    bool wants(KeyType type) const override { return type == KeyType::ZSet; }
    ActionList actions() const override { return actions::kueActions(); }

    std::vector<QByteArray> nameParts(KeyType) const override { return {":jobs:"}; }
    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const override
    {
        const KueName own = kueNameOf(name);
        return type == KeyType::ZSet && own.state
                   ? std::vector{own.prefix + ":ids", own.prefix + ":job:types"}
                   : std::vector<QByteArray>();
    }
    // All types share <prefix>:jobs, :jobs:<state>, :job:<id>, :job:<id>:log, :job:types, :ids,
    // :settings, :stats:work-time and :search.... Each type has a list <prefix>:<type>:jobs. The
    // locks under which one process promotes jobs and ends expired ones have no prefix.
    std::vector<QByteArray> ownersOf(const QByteArray& name) const override
    {
        std::vector<QByteArray> owners;
        if (name == "promotion:lock" || name == "activeJobsTTL:lock")
            owners.push_back({});
        const auto add = [&](const QByteArray& prefix) {
            if (!prefix.isEmpty())
                owners.push_back(prefix + ":jobs:");
        };
        for (const char* part : {":job:", ":search:"}) {
            if (const qsizetype at = name.indexOf(part); at > 0)
                add(name.left(at));
        }
        for (const char* part : {":jobs", ":ids", ":settings", ":stats:work-time"}) {
            if (name.endsWith(part))
                add(name.chopped(qsizetype(qstrlen(part))));
        }
        const qsizetype colon = name.lastIndexOf(':');
        if (const QByteArray stem = name.left(std::max<qsizetype>(0, colon));
            stem.endsWith(":jobs") && kueState(name.mid(colon + 1)))
            add(stem.chopped(5));
        if (const qsizetype type = name.endsWith(":jobs") ? name.lastIndexOf(':', -6) : -1;
            type > 0)
            add(name.left(type));
        return owners;
    }
    QByteArray stemOf(const QByteArray& name) const override
    {
        return kuePrefixOf(name) + ":jobs:";
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        const KueName own = kueNameOf(probe.name);
        const bool fits =
            own.state && probe.sibling(own.prefix + ":ids") == KeyType::String &&
            probe.sibling(own.prefix + ":job:types") == KeyType::Set && !probe.members.empty() &&
            std::all_of(probe.members.begin(), probe.members.end(),
                        [](const ScoredMember& m) { return !kueIdOf(m.member).isEmpty(); });
        if (!fits)
            return std::nullopt;
        const QByteArray queue = own.prefix + ":jobs:" + own.type;
        const bool main = own.state->role == JobRole::Ready;
        Claim claim{{id(), queue}, {{mainRole(), queue + ":inactive", !main}}, 0.98};
        if (!main)
            claim.keys.push_back({own.state->name, probe.name});
        claim.label = own.type;
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

constexpr size_t kueActiveAt = kueStateCount;
constexpr size_t kueFailuresAt = kueActiveAt + 1;

std::vector<Command> Kue::reads(const Primitive& primitive, const ReadContext& context) const
{
    const QByteArray jobs = primitive.id.name + ':';
    std::vector<Command> commands;
    for (const KueState& state : kueStates())
        commands.push_back({"ZCARD", jobs + state.name});
    commands.push_back(
        {"ZRANGE", jobs + "active", "0", QByteArray::number(jobsInProgressRead - 1), "WITHSCORES"});
    if (context.depth == Depth::Detail)
        commands.push_back({"ZREVRANGE", jobs + "failed", "0", QByteArray::number(failuresRead - 1),
                            "WITHSCORES"});
    return commands;
}

std::vector<Command> Kue::furtherReads(const Primitive& primitive, const ReadContext& context,
                                       std::span<const Reply> replies) const
{
    const size_t first = kueFailuresAt + (context.depth == Depth::Detail ? 1 : 0);
    std::vector<Command> commands;
    if (replies.size() != first)
        return commands;
    const QByteArray prefix = kuePrefixOf(primitive.id.name);
    for (size_t page = kueActiveAt; page < first; ++page) {
        for (const ScoredMember& member : scoredMembersOf(replies[page]))
            commands.push_back(kueJobRead(prefix, kueIdOf(member.member)));
    }
    for (const ScoredMember& member : scoredMembersOf(replies[kueActiveAt]))
        commands.push_back(endRead(prefix, member.member));
    return commands;
}

DecodeResult Kue::read(const Primitive& primitive, std::span<const Reply> replies,
                       const ReadContext& context) const
{
    DecodeResult reading;
    QueueState queue;
    for (size_t i = 0; i < kueStateCount; ++i)
        queue.states.push_back({kueStates()[i].name, kueStates()[i].role, countOf(replies[i])});
    queue.stuckByLibrary = true;
    size_t next = kueFailuresAt + (context.depth == Depth::Detail ? 1 : 0);
    const std::vector<ScoredMember> active = scoredMembersOf(replies[kueActiveAt]);
    size_t end = replies.size() - std::min(replies.size(), active.size());
    for (const ScoredMember& member : active) {
        if (next >= replies.size())
            break;
        QueueJob item;
        item.key = primitive.id.name + ":active";
        const QByteArray jobId = kueIdOf(member.member);
        item.fingerprint = fingerprintOf(jobId);
        item.facts = kueJobOf(jobId, replies[next++], *kueState("active"));
        item.facts.leaseAlive = isAlive(replies[end++], context.nowMs);
        queue.stuck += item.facts.leaseAlive == false ? 1 : 0;
        if (!item.facts.worker.isEmpty()) {
            QueueWorker worker = workerOf(item.facts.worker);
            worker.jobs = 1;
            queue.workers.push_back(std::move(worker));
        }
        queue.items.push_back(std::move(item));
    }
    std::vector<JobFacts> failed;
    if (context.depth == Depth::Detail) {
        for (const ScoredMember& member : scoredMembersOf(replies[kueFailuresAt])) {
            if (next < replies.size())
                failed.push_back(
                    kueJobOf(kueIdOf(member.member), replies[next++], *kueState("failed")));
        }
    }
    queue.failures = groupsOf(failed);
    queue.failuresRead = qint64(failed.size());
    finalizeQueue(reading.state, std::move(queue), context.nowMs, 0);
    return reading;
}

std::vector<Command> Kue::jobReads(const Primitive& primitive, const JobQuery& query,
                                   std::span<const Reply> replies) const
{
    const KueState* state = kueState(query.state);
    return state ? kueJobReads(primitive.id.name, *state, query, replies) : std::vector<Command>();
}

std::vector<StoredJob> Kue::jobs(const Primitive& primitive, const JobQuery& query,
                                 std::span<const Reply> replies) const
{
    const KueState* state = kueState(query.state);
    return state ? kueJobs(primitive.id.name, *state, replies) : std::vector<StoredJob>();
}

std::vector<Command> Kue::jobDetailReads(const Primitive& primitive, const QByteArray&,
                                         const QByteArray& jobId,
                                         std::span<const Reply> replies) const
{
    return kueJobDetailReads(primitive.id.name, jobId, replies);
}

QByteArray Kue::jobKey(const Primitive& primitive, const QByteArray&, const QByteArray& id) const
{
    return kueJobKey(kuePrefixOf(primitive.id.name), id);
}

JobDetail Kue::jobDetail(const Primitive&, const QByteArray& state, const QByteArray& jobId,
                         std::span<const Reply> replies) const
{
    const KueState* in = kueState(state);
    return kueJobDetail(in ? *in : kueStates().front(), jobId, replies);
}

} // namespace

namespace layouts {
const Layout& kue()
{
    static const Kue layout;
    return layout;
}
} // namespace layouts

} // namespace lk
