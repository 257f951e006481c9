// SPDX-License-Identifier: GPL-3.0-or-later
// Sidekiq 5 to 8 (https://github.com/sidekiq/sidekiq/wiki). Each queue is a list of JSON. All
// queues share the sets of scheduled, failed and dead jobs. The keys of each process expire without
// its heartbeat.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/catalogue/sidekiq/sidekiqactions.h"
#include "backend/libraries/catalogue/sidekiq/sidekiqnames.h"
#include "backend/libraries/catalogue/sidekiq/sidekiqstate.h"
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/detect/siblingkeys.h"
#include "backend/libraries/families/jobs/jobnumbers.h"

#include <algorithm>

namespace lk {

namespace {

constexpr size_t mostWorking = 32; // the most working lists that are read for one queue
// Redis has no record of finished jobs.
constexpr JobNumbers sidekiqNumbers = JobNumber::Throughput | JobNumber::Waiting;

bool isSet(const QByteArray& part)
{
    return std::any_of(std::begin(sidekiqSets), std::end(sidekiqSets),
                       [&](const SidekiqSet& set) { return part == set.key; });
}

bool hasName(const Probe& probe, const char* field)
{
    return std::find(probe.fieldNames.begin(), probe.fieldNames.end(), field) !=
           probe.fieldNames.end();
}

class Sidekiq final : public Layout, public KeyHints, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("sidekiq"); }
    QString title() const override { return LayoutText::tr("Sidekiq queue"); }
    Kind kind() const override { return Kind::Queue; }
    QByteArray mainRole() const override { return QByteArrayLiteral("queue"); }
    KeyType mainType() const override { return KeyType::List; }
    bool wants(KeyType type) const override
    {
        return type != KeyType::None && type != KeyType::Other && type != KeyType::Stream;
    }

    bool allowsKeyActions() const override { return false; }
    std::span<const Column> columns() const override { return jobColumns(sidekiqNumbers); }
    std::span<const Metric> metrics() const override { return jobMetrics(sidekiqNumbers); }

    std::vector<QByteArray> ownersOf(const QByteArray& name) const override
    {
        const SidekiqName part = sidekiqNameOf(name);
        const bool ofAll = part.part == "process" || part.part == "work" || part.part == "other" ||
                           part.part == "processes" || part.part == "super_processes" ||
                           part.part == "queues" || part.part == "cron_jobs";
        return ofAll ? std::vector{part.space + "queue:"} : std::vector<QByteArray>();
    }

    std::vector<QByteArray> nameParts(KeyType type) const override
    {
        return sidekiqNameParts(type);
    }
    // The siblings of the set of queues that Sidekiq has and Resque or Faktory do not have.
    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const override
    {
        if (type != KeyType::Set)
            return {};
        const SidekiqName part = sidekiqNameOf(name);
        if (part.part != "queues")
            return {};
        return {part.space + "stat:processed", part.space + "processes", part.space + "retry",
                part.space + "schedule"};
    }

    QByteArray stemOf(const QByteArray& name) const override
    {
        return sidekiqNameOf(name).space + "queue:";
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        const SidekiqName name = sidekiqNameOf(probe.name);
        if (!name.known)
            return std::nullopt;
        if (name.part == "queue" || name.part == "working") {
            const bool ours = probe.type == KeyType::List &&
                              (sidekiqJobOf(probe.first) || sidekiqJobOf(probe.last));
            return ours ? std::optional(claimOf(probe, name, name.queue)) : std::nullopt;
        }
        if (isSet(name.part) || listsQueues(probe, name)) {
            std::vector<Claim> claims = named(probe, name);
            return claims.empty() ? std::nullopt : std::optional(std::move(claims.front()));
        }
        return isPartOfAll(probe, name)
                   ? std::optional(Claim{{id(), name.space + "queue:"}, {}, 0.95, {}})
                   : std::nullopt;
    }

    std::vector<Claim> alsoNamed(const Probe& probe) const override
    {
        const SidekiqName name = sidekiqNameOf(probe.name);
        return isSet(name.part) || listsQueues(probe, name) ? named(probe, name)
                                                            : std::vector<Claim>();
    }

    Claim declared(const Declaration& declaration, const QByteArray& name) const override
    {
        Claim claim = Layout::declared(declaration, name);
        claim.label = sidekiqNameOf(name).queue;
        return claim;
    }

    ActionList actions() const override { return actions::sidekiqActions(); }
    Read<DecodeResult> readState(const Primitive& primitive,
                                 const ReadContext& context) const override
    {
        return readSidekiqState(queueOf(primitive), context);
    }
    bool mayFail(const Primitive& primitive, const Command& command) const override
    {
        return command.args().size() < 2 || command.args()[1] != primitive.id.name;
    }
    Read<std::vector<StoredJob>> readJobs(const Primitive& primitive, JobQuery query) const override
    {
        return readSidekiqJobs(queueOf(primitive), std::move(query));
    }
    void completeDetail(const Primitive& primitive, JobDetail& detail) const override
    {
        addSidekiqBatch(primitive.id.name, detail);
    }

private:
    static SidekiqQueue queueOf(const Primitive& primitive)
    {
        const SidekiqName name = sidekiqNameOf(primitive.id.name);
        SidekiqQueue queue{name.space, name.queue, {}};
        for (const KeyRole& key : primitive.keys) {
            if (key.role == "working" && queue.working.size() < mostWorking)
                queue.working.push_back(key.key);
        }
        return queue;
    }

    Claim claimOf(const Probe& probe, const SidekiqName& name, const QByteArray& queue) const
    {
        const QByteArray main = sidekiqQueueKey(name.space, queue);
        Claim claim{{id(), main}, {{mainRole(), main, probe.name != main}}, 0.97, queue};
        if (probe.name != main)
            claim.keys.push_back({name.part, probe.name});
        return claim;
    }

    // The set names every queue that ever existed. An idle queue has no other key. Several siblings
    // have to exist because each of them alone may belong to another library.
    static bool listsQueues(const Probe& probe, const SidekiqName& name)
    {
        return name.part == "queues" && probe.type == KeyType::Set &&
               probe.sibling(name.space + "stat:processed") == KeyType::String &&
               (probe.sibling(name.space + "processes") == KeyType::Set ||
                probe.sibling(name.space + "retry") == KeyType::ZSet ||
                probe.sibling(name.space + "schedule") == KeyType::ZSet);
    }

    // Returns claims for the queues that a shared key names.
    std::vector<Claim> named(const Probe& probe, const SidekiqName& name) const
    {
        std::vector<Claim> claims;
        const auto add = [&](const QByteArray& queue) {
            const QByteArray main = sidekiqQueueKey(name.space, queue);
            const bool known = std::any_of(claims.begin(), claims.end(), [&](const Claim& claim) {
                return claim.id.name == main;
            });
            if (!queue.isEmpty() && !known)
                claims.push_back(claimOf(probe, name, queue));
        };
        if (listsQueues(probe, name))
            std::for_each(probe.sample.begin(), probe.sample.end(), add);
        if (probe.type == KeyType::ZSet && isSet(name.part)) {
            for (const ScoredMember& member : probe.members) {
                if (const std::optional<SidekiqJob> job = sidekiqJobOf(member.member))
                    add(job->queue);
            }
        }
        return claims;
    }

    // The keys of a schedule of sidekiq-cron: the schedule, the times of its jobs and the jobs.
    static bool isOfCron(const Probe& probe)
    {
        if (!probe.name.contains("cron_job:"))
            return false;
        if (probe.type == KeyType::Hash)
            return hasName(probe, "klass") || hasName(probe, "cron") ||
                   hasName(probe, "last_enqueue_time");
        return (probe.type == KeyType::List && probe.first.startsWith("{\"jid\"")) ||
               (probe.type == KeyType::ZSet && probe.name.endsWith(":enqueued"));
    }

    // Keys that belong to Sidekiq but to no single queue: processes and their heartbeats.
    static bool isPartOfAll(const Probe& probe, const SidekiqName& name)
    {
        if (name.part == "process")
            return probe.type == KeyType::Hash && hasName(probe, "beat") && hasName(probe, "busy");
        if (name.part == "work")
            return probe.type == KeyType::Hash;
        if (name.part == "processes" || name.part == "super_processes")
            return probe.type == KeyType::Set && !probe.sample.empty() &&
                   sidekiqNameOf(probe.sample.front()).part == "process";
        if (name.part == "cron_jobs")
            return probe.type == KeyType::Set;
        return name.part == "other" &&
               (probe.name.contains("reliable-fetcher-") || isOfCron(probe));
    }
};

} // namespace

LK_LAYOUT(sidekiq, Sidekiq)

} // namespace lk
