// SPDX-License-Identifier: GPL-3.0-or-later
// A stream with consumer groups (XREADGROUP, XACK), as used by Symfony's Messenger, taskiq and many
// applications. Entries that were delivered and not acknowledged are pending. The server stores
// their consumer and delivery time.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/detect/siblingkeys.h"
#include "backend/libraries/families/jobs/jobnumbers.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/jobsampling.h"
#include "backend/libraries/families/streams/streamactions.h"
#include "backend/libraries/families/streams/streamgroups.h"

#include <algorithm>

namespace lk {

namespace {

constexpr size_t mostGroups = 8;
constexpr qint64 aliveMs = 60'000; // a consumer that read entries within this time is alive

class StreamGroups final : public PlannedLayout, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("stream-group"); }
    QString title() const override { return LayoutText::tr("Stream with consumer group"); }
    Kind kind() const override { return Kind::Queue; }
    QByteArray mainRole() const override { return QByteArrayLiteral("stream"); }
    KeyType mainType() const override { return KeyType::Stream; }
    bool wants(KeyType type) const override
    {
        return type == KeyType::Stream || type == KeyType::ZSet;
    }

    // The id of an entry gives its age; the group has the delivery time.
    std::span<const Column> columns() const override { return jobColumns(JobNumber::Waiting); }
    std::span<const Metric> metrics() const override { return jobMetrics(JobNumber::Waiting); }

    std::vector<ConfigField> configFields() const override
    {
        return {{"stuck_after", FieldShape::Duration, &Declaration::stuckAfterMs}};
    }

    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const override
    {
        const QByteArray stream = streamOf(name);
        return type == KeyType::ZSet && !stream.isEmpty() ? std::vector{stream}
                                                          : std::vector<QByteArray>();
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (probe.type == KeyType::Stream && !probe.groups.empty())
            return Claim{{id(), probe.name}, {{mainRole(), probe.name}}, 0.95, {}};
        const QByteArray stream = streamOf(probe.name);
        const bool later = probe.type == KeyType::ZSet && !stream.isEmpty() &&
                           !probe.members.empty() && messengerJobOf(probe.members.front().member);
        if (!later)
            return std::nullopt;
        const bool seen = probe.sibling(stream) == KeyType::Stream;
        return Claim{{id(), stream},
                     {{mainRole(), stream, !seen}, {QByteArrayLiteral("delayed"), probe.name}},
                     0.95,
                     {}};
    }

    ActionList actions() const override { return actions::streamActions(); }
    std::vector<Command> jobReads(const Primitive& primitive, const JobQuery& query,
                                  std::span<const Reply> replies) const override
    {
        return streamJobReads(primitive.id.name, query, replies);
    }
    std::vector<StoredJob> jobs(const Primitive& primitive, const JobQuery& query,
                                std::span<const Reply> replies) const override
    {
        return streamJobs(primitive.id.name, query, replies);
    }

protected:
    enum Place : size_t { Groups, Delayed, Steps };

    // The commands fail if the stream does not exist.
    bool mayFail(const Primitive&, const Command&) const override { return true; }

    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override
    {
        const QByteArray& key = primitive.id.name;
        return {{"XINFO", "GROUPS", key}, {"ZCARD", key + "__queue"}};
    }

    std::vector<Command> furtherReads(const Primitive& primitive, const ReadContext&,
                                      std::span<const Reply> replies) const override
    {
        if (replies.size() != Steps)
            return {};
        const QByteArray& key = primitive.id.name;
        std::vector<Command> commands;
        for (const StreamGroup& group : groupsOf(replies)) {
            commands.push_back(
                {"XPENDING", key, group.name, "-", "+", QByteArray::number(jobsInProgressRead)});
            commands.push_back({"XINFO", "CONSUMERS", key, group.name});
        }
        return commands;
    }

    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        QueueState queue;
        queue.stuckByLibrary = true;
        if (primitive.declaration && primitive.declaration->stuckAfterMs)
            queue.stuckAfterMs = *primitive.declaration->stuckAfterMs;
        const std::vector<StreamGroup> groups = groupsOf(replies);
        queue.workersKnown = !replies[Groups].isError();
        size_t next = Steps;
        for (const StreamGroup& group : groups) {
            queue.states.push_back(
                {groupState("waiting", group.name, groups.size()), JobRole::Ready, group.lag});
            queue.states.push_back({groupState("pending", group.name, groups.size()),
                                    JobRole::Processing, group.pending});
            if (next + 1 < replies.size()) {
                takePending(queue, primitive.id.name, replies[next], context.nowMs);
                takeConsumers(queue, replies[next + 1], context.nowMs);
            }
            next += 2;
        }
        if (const qint64 delayed = countOf(replies[Delayed]);
            delayed > 0 || !primitive.key("delayed").isEmpty())
            queue.states.push_back({"delayed", JobRole::Delayed, delayed});
        finalizeTimes(queue, context);
        finalizeQueue(reading.state, std::move(queue), context.nowMs, 0);
        reading.state.present = !groups.empty();
        const Reply& groupsReply = replies[Groups];
        if (groupsReply.isError() && !groupsReply.text.startsWith("ERR no such key"))
            reading.state.problem = errorFromReply(groupsReply.text);
        return reading;
    }

private:
    static QByteArray streamOf(const QByteArray& name)
    {
        return name.endsWith("__queue") ? name.chopped(7) : QByteArray();
    }

    static std::vector<StreamGroup> groupsOf(std::span<const Reply> replies)
    {
        std::vector<StreamGroup> groups = streamGroupsOf(replies[Groups]);
        groups.resize(std::min(groups.size(), mostGroups));
        return groups;
    }

    // A worker of a stream renews no lease. Only the time since the delivery is known.
    static void takePending(QueueState& queue, const QByteArray& key, const Reply& reply,
                            qint64 nowMs)
    {
        for (const PendingEntry& entry : pendingOf(reply)) {
            QueueJob item;
            item.key = key;
            item.fingerprint = fingerprintOf(entry.id);
            item.facts.id = entry.id;
            item.facts.worker = entry.consumer;
            item.facts.enqueuedMs = streamIdMs(entry.id);
            item.facts.startedMs = nowMs - entry.idleMs;
            item.facts.attempts = entry.deliveries;
            if (entry.deliveries <= 1)
                item.facts.readyMs = item.facts.enqueuedMs;
            queue.stuck += entry.idleMs > queue.stuckAfterMs ? 1 : 0;
            queue.oldestProcessingMs = std::max(queue.oldestProcessingMs.value_or(0), entry.idleMs);
            queue.items.push_back(std::move(item));
        }
    }

    static void takeConsumers(QueueState& queue, const Reply& reply, qint64 nowMs)
    {
        for (const Reply& consumer : reply.items) {
            const Reply* name = namedValue(consumer, "name");
            const Reply* pending = namedValue(consumer, "pending");
            const Reply* idle = namedValue(consumer, "idle");
            if (!name || !pending || !idle)
                continue;
            QueueWorker worker;
            worker.name = name->text;
            worker.jobs = countOf(*pending);
            worker.lastSeenMs = nowMs - countOf(*idle);
            if (countOf(*idle) <= aliveMs)
                worker.alive = true; // later it may have died or be blocked
            queue.workers.push_back(std::move(worker));
        }
    }
};

} // namespace

namespace layouts {
const Layout& streamGroup()
{
    static const StreamGroups layout;
    return layout;
}
} // namespace layouts

} // namespace lk
