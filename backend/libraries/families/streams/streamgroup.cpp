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

class StreamGroups final : public Layout, public SiblingKeys
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
    Read<std::vector<StoredJob>> readJobs(const Primitive& primitive, JobQuery query) const override
    {
        return readStreamJobs(primitive.id.name, std::move(query));
    }
    // The commands fail if the stream does not exist.
    bool mayFail(const Primitive&, const Command&) const override { return true; }

    Read<DecodeResult> readState(const Primitive& primitive,
                                 const ReadContext& context) const override
    {
        const QByteArray& key = primitive.id.name;
        const std::vector<Command> first{Command{"XINFO", "GROUPS", key},
                                         Command{"ZCARD", key + "__queue"}};
        const std::vector<Reply> replies = co_await ask(first);
        std::vector<StreamGroup> groups = streamGroupsOf(replies[0]);
        groups.resize(std::min(groups.size(), mostGroups));
        std::vector<Command> ofGroups;
        for (const StreamGroup& group : groups) {
            ofGroups.push_back(
                {"XPENDING", key, group.name, "-", "+", QByteArray::number(jobsInProgressRead)});
            ofGroups.push_back({"XINFO", "CONSUMERS", key, group.name});
        }
        const std::vector<Reply> described = co_await ask(std::move(ofGroups));
        QueueState queue;
        queue.stuckByLibrary = true;
        if (primitive.declaration && primitive.declaration->stuckAfterMs)
            queue.stuckAfterMs = *primitive.declaration->stuckAfterMs;
        queue.workersKnown = !replies[0].isError();
        for (size_t i = 0; i < groups.size(); ++i) {
            const StreamGroup& group = groups[i];
            queue.states.push_back(
                {groupState("waiting", group.name, groups.size()), JobRole::Ready, group.lag});
            queue.states.push_back({groupState("pending", group.name, groups.size()),
                                    JobRole::Processing, group.pending});
            takePending(queue, key, described[2 * i], context.nowMs);
            takeConsumers(queue, described[2 * i + 1], context.nowMs);
        }
        if (const qint64 delayed = countOf(replies[1]);
            delayed > 0 || !primitive.key("delayed").isEmpty())
            queue.states.push_back({"delayed", JobRole::Delayed, delayed});
        DecodeResult reading;
        finalizeTimes(queue, context);
        finalizeQueue(reading.state, std::move(queue), context.nowMs, 0);
        reading.state.present = !groups.empty();
        if (replies[0].isError() && !replies[0].text.startsWith("ERR no such key"))
            reading.state.problem = errorFromReply(replies[0].text);
        co_return reading;
    }

private:
    static QByteArray streamOf(const QByteArray& name)
    {
        return name.endsWith("__queue") ? name.chopped(7) : QByteArray();
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

LK_LAYOUT(streamGroup, StreamGroups)

} // namespace lk
