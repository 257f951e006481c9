// SPDX-License-Identifier: GPL-3.0-or-later
// Celery and Kombu
// (https://docs.celeryq.dev/en/stable/getting-started/backends-and-brokers/redis.html). A worker
// takes messages before it works on them, and holds those that are due later. So a taken message is
// not necessarily stuck. Kombu requeues messages that are not acknowledged within the visibility
// timeout. Only the workers' configuration contains that timeout, so it is used only if it is
// declared. Without it, the only certain fact is that no worker listens at all.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/catalogue/celery/celeryactions.h"
#include "backend/libraries/catalogue/celery/celeryjobs.h"
#include "backend/libraries/catalogue/celery/celerynames.h"
#include "backend/libraries/catalogue/celery/celeryresults.h"
#include "backend/libraries/catalogue/celery/celeryworkers.h"
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/detect/siblingkeys.h"
#include "backend/libraries/detect/valueshape.h"
#include "backend/libraries/families/jobs/jobqueue.h"

#include <algorithm>

namespace lk {

namespace {

constexpr size_t mostLists = 32;

class Celery final : public Layout, public KeyHints, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("celery"); }
    QString title() const override { return LayoutText::tr("Celery queue"); }
    Kind kind() const override { return Kind::Queue; }
    QByteArray mainRole() const override { return QByteArrayLiteral("queue"); }
    KeyType mainType() const override { return KeyType::List; }
    bool wants(KeyType type) const override
    {
        return type == KeyType::List || type == KeyType::Set || type == KeyType::Hash ||
               type == KeyType::ZSet || type == KeyType::String;
    }

    bool allowsKeyActions() const override { return false; }
    // The visibility timeout.
    std::vector<ConfigField> configFields() const override
    {
        return {{"stuck_after", FieldShape::Duration, &Declaration::stuckAfterMs}};
    }

    std::vector<QByteArray> nameParts(KeyType type) const override
    {
        if (type == KeyType::List) // a queue may have any name
            return {};
        return {"_kombu.binding.", "unacked"};
    }
    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const override
    {
        const KombuUnacked unacked = kombuUnackedOf(name);
        if (!unacked.known || type == KeyType::List || type == KeyType::Set)
            return {};
        return {unacked.prefix + "unacked", unacked.prefix + "unacked_index",
                unacked.prefix + "_kombu.binding.celery.pidbox"};
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (probe.type == KeyType::List)
            return listClaim(probe);
        if (const KombuBinding binding = kombuBindingOf(probe.name); binding.known) {
            std::vector<Claim> claims = bound(probe, binding);
            if (!claims.empty())
                return std::move(claims.front());
            const bool own =
                probe.type == KeyType::Set &&
                std::any_of(probe.sample.begin(), probe.sample.end(), [](const QByteArray& member) {
                    return member.contains(kombuSeparator());
                });
            return own ? std::optional(partOfAll(binding.prefix)) : std::nullopt;
        }
        const KombuUnacked unacked = kombuUnackedOf(probe.name);
        return unacked.known && isUnacked(probe, unacked) ? std::optional(partOfAll(unacked.prefix))
                                                          : std::nullopt;
    }

    std::vector<Claim> alsoNamed(const Probe& probe) const override
    {
        const KombuBinding binding = kombuBindingOf(probe.name);
        return binding.known ? bound(probe, binding) : std::vector<Claim>();
    }

    ActionList actions() const override { return actions::celeryActions(); }
    Read<DecodeResult> readState(const Primitive& primitive,
                                 const ReadContext& context) const override;
    bool mayFail(const Primitive& primitive, const Command& command) const override
    {
        return command.args().size() < 2 || command.args()[1] != primitive.id.name;
    }
    Read<std::vector<StoredJob>> readJobs(const Primitive& primitive, JobQuery query) const override
    {
        return readCeleryJobs(queueOf(primitive), std::move(query));
    }
    void completeDetail(const Primitive& primitive, JobDetail& detail) const override
    {
        addCeleryLinks(primitive.id.name, detail);
    }
    // Reads the result of a task that is in no list.
    Read<JobDetail> readJob(const Primitive& primitive, QByteArray state,
                            QByteArray id) const override
    {
        return state.isEmpty() ? readCeleryResult(primitive.id.name,
                                                  celeryResultKey(queueOf(primitive), id), id)
                               : Layout::readJob(primitive, state, id);
    }
    QByteArray jobKey(const Primitive& primitive, const QByteArray& state,
                      const QByteArray& id) const override
    {
        return state.isEmpty() ? celeryResultKey(queueOf(primitive), id) : QByteArray();
    }

private:
    static CeleryQueue queueOf(const Primitive& primitive)
    {
        CeleryQueue queue;
        if (primitive.declaration)
            queue.visibleMs = primitive.declaration->stuckAfterMs;
        queue.queue = primitive.name();
        const QByteArray binding = primitive.key("binding");
        if (!binding.isEmpty())
            queue.prefix = kombuBindingOf(binding).prefix;
        else if (primitive.id.name.endsWith(queue.queue))
            queue.prefix = primitive.id.name.chopped(queue.queue.size());
        queue.lists.push_back(primitive.id.name);
        for (const QByteArray& step : kombuPriorities())
            queue.lists.push_back(primitive.id.name + kombuSeparator() + step);
        for (const KeyRole& key : primitive.keys) {
            const bool known =
                std::find(queue.lists.begin(), queue.lists.end(), key.key) != queue.lists.end();
            if (key.role == "priority" && !known && queue.lists.size() < mostLists)
                queue.lists.push_back(key.key);
        }
        return queue;
    }

    // The messages are the proof: their routing key is the queue's name unless the application has
    // an exchange of its own.
    std::optional<Claim> listClaim(const Probe& probe) const
    {
        std::optional<CeleryTask> task = celeryTaskOf(probe.first);
        if (!task)
            task = celeryTaskOf(probe.last);
        if (!task)
            return std::nullopt;
        QByteArray base = kombuBaseOf(probe.name);
        // The separator may be configured: "celery:3".
        const QByteArray& step = task->priority;
        if (base == probe.name && !step.isEmpty() && step != "0" && base.endsWith(step)) {
            const qsizetype end = base.lastIndexOf(task->routingKey) + task->routingKey.size();
            const qsizetype between = base.size() - step.size() - end;
            if (!task->routingKey.isEmpty() && between > 0 && between <= 3 &&
                end >= task->routingKey.size())
                base = base.left(end);
        }
        const bool named = !task->routingKey.isEmpty() && base.endsWith(task->routingKey);
        Claim claim{{id(), base},
                    {{mainRole(), base, base != probe.name}},
                    0.97,
                    named ? task->routingKey : QByteArray()};
        if (base != probe.name)
            claim.keys.push_back({QByteArrayLiteral("priority"), probe.name});
        return claim;
    }

    // Claims the queues that an exchange's set names.
    std::vector<Claim> bound(const Probe& probe, const KombuBinding& binding) const
    {
        std::vector<Claim> claims;
        if (probe.type != KeyType::Set)
            return claims;
        for (const QByteArray& member : probe.sample) {
            const QByteArray queue = kombuQueueIn(member);
            if (queue.isEmpty())
                continue;
            const QByteArray main = binding.prefix + queue;
            claims.push_back(
                {{id(), main},
                 {{mainRole(), main, true}, {QByteArrayLiteral("binding"), probe.name}},
                 0.95,
                 queue});
        }
        return claims;
    }

    // Claims a key that belongs to Celery but to no single queue.
    Claim partOfAll(const QByteArray& prefix) const
    {
        return {{id(), prefix + "_kombu"}, {}, 0.95, {}};
    }

    static bool isUnacked(const Probe& probe, const KombuUnacked& name)
    {
        const bool beside =
            probe.sibling(name.prefix + "_kombu.binding.celery.pidbox") == KeyType::Set ||
            probe.sibling(name.prefix + "unacked") == KeyType::Hash ||
            probe.sibling(name.prefix + "unacked_index") == KeyType::ZSet;
        if (name.part == "unacked")
            return probe.type == KeyType::Hash && !probe.fieldNames.empty() &&
                   isUuid(probe.fieldNames.front()) && beside;
        if (name.part == "unacked_index")
            return probe.type == KeyType::ZSet && !probe.members.empty() &&
                   isUuid(probe.members.front().member) && beside;
        return probe.type == KeyType::String && beside;
    }
};

// The tasks that workers have taken and not acknowledged.
struct Taken
{
    std::optional<qint64> working;
    std::optional<qint64> later; ///< held until it is due
    qint64 bytes = 0;
};

Taken takeUnacked(QueueState& queue, const CeleryQueue& where, std::vector<UnackedTask> tasks,
                  bool abandoned, qint64 nowMs)
{
    Taken taken{0, 0, 0};
    bool all = true;
    for (UnackedTask& task : tasks) {
        all = all && !task.unread;
        if (!task.task || !where.isOurs(*task.task))
            continue;
        taken.bytes += task.task->payload.size();
        if (task.task->facts.dueMs) {
            ++*taken.later;
            continue;
        }
        ++*taken.working;
        QueueJob item =
            queueJobOf(StoredJob{where.unacked(), task.task->payload, std::move(task.task->facts)});
        item.facts.startedMs = qint64(task.deliveredS * 1000);
        const qint64 ageMs = nowMs - *item.facts.startedMs;
        queue.oldestProcessingMs = std::max(queue.oldestProcessingMs.value_or(0), ageMs);
        if (abandoned || (where.visibleMs && ageMs > *where.visibleMs))
            item.facts.leaseAlive = false;
        queue.stuck += item.facts.leaseAlive == false ? 1 : 0;
        if (qint64(queue.items.size()) < jobsInProgressRead)
            queue.items.push_back(std::move(item));
    }
    if (!all) // messages that were not read may be this queue's
        taken.working = taken.later = std::nullopt;
    return taken;
}

// Keeps the values of the last read.
Taken keepUnacked(QueueState& queue, const QueueState& before)
{
    queue.items = before.items;
    queue.stuck = before.stuck;
    queue.oldestProcessingMs = before.oldestProcessingMs;
    return {before.processing, before.delayed, 0};
}

Read<DecodeResult> Celery::readState(const Primitive& primitive, const ReadContext& context) const
{
    const CeleryQueue where = queueOf(primitive);
    std::vector<Command> lengths;
    for (const QByteArray& list : where.lists)
        lengths.push_back({"LLEN", list});
    std::vector<Command> others = celeryWorkerReads(where.prefix);
    others.push_back({"HLEN", where.unacked()});
    others.push_back(unackedTags(where));
    const auto [waitingIn, replies] =
        co_await together(replied(std::move(lengths)), replied(std::move(others)));
    QueueState queue;
    queue.stuckByLibrary = true;
    qint64 waiting = 0;
    for (const Reply& length : waitingIn)
        waiting += countOf(length);
    CeleryWorkers workers = celeryWorkersOf(replies[0], replies[1]);
    queue.workers = std::move(workers.all);
    queue.workersKnown = workers.known;

    const qint64 all = countOf(replies[2]);
    std::vector<ScoredMember> tags = scoredMembersOf(replies[3]);
    const qint64 count = qint64(tags.size());
    const State* known = context.previous;
    const auto* before = known && !known->problem ? known->as<QueueState>() : nullptr;
    const bool read = context.payloads == PayloadRead::Full;
    Taken taken;
    if (all == 0)
        taken = {0, 0, 0};
    else if (read) {
        std::vector<UnackedTask> tasks = co_await readUnacked(where, std::move(tags));
        taken = takeUnacked(queue, where, std::move(tasks), workers.nobodyListens, context.nowMs);
    } else if (before)
        taken = keepUnacked(queue, *before);
    if (all > count)
        taken.working = taken.later = std::nullopt;
    queue.states = {{"waiting", JobRole::Ready, waiting},
                    {"unacked", JobRole::Processing, taken.working},
                    {"eta", JobRole::Delayed, taken.later}};
    const quint64 fingerprint = qHashMulti(0, all, workers.nobodyListens);
    DecodeResult reading;
    finalizeQueue(reading.state, std::move(queue), context.nowMs, taken.bytes);
    reading.state.payloads.edit().fingerprint = fingerprint;
    if (!read && before) {
        reading.state.payloads = known->payloads;
        reading.state.payloads.edit().changed |= known->payloads->fingerprint != fingerprint;
    }
    co_return reading;
}

} // namespace

LK_LAYOUT(celery, Celery)

} // namespace lk
