// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/catalogue/sidekiq/sidekiqstate.h"

#include "backend/libraries/catalogue/sidekiq/sidekiqnames.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/jobsampling.h"
#include "backend/libraries/families/jobs/jobtexts.h"

#include <QJsonArray>

#include <algorithm>

namespace lk {

namespace {

constexpr size_t setCount = std::size(sidekiqSets);
// A shared set is read completely up to this many members and bytes. The second limit applies to a
// detail pane.
constexpr qint64 mostMembers[] = {500, 2000};
constexpr qint64 mostSetBytes[] = {256 * 1024, 2 * 1024 * 1024};
constexpr const char* processFields[] = {"info", "busy", "quiet"};
// A process renews its key's TTL of 60 s at least every 10 s. Sidekiq considers it dead once the
// key has expired.
constexpr qint64 fullLeaseMs = 60'000;

// The positions of the replies to sidekiqReads().
struct Places
{
    explicit Places(const SidekiqQueue& queue)
        : end(working + 3 * queue.working.size())
    {}
    static constexpr size_t length = 0;
    static constexpr size_t next = 1;
    static constexpr size_t queues = 2;
    static constexpr size_t processes = 3;
    static constexpr size_t processed = 4;
    static constexpr size_t failed = 5;
    static constexpr size_t sets = 6;                      // each: ZCARD, MEMORY USAGE
    static constexpr size_t working = sets + 2 * setCount; // each: LLEN, LRANGE, EXISTS heartbeat
    size_t end;
};

// Returns the indexes of the shared sets that furtherReads() reads completely.
std::vector<size_t> setsToRead(const ReadContext& context, std::span<const Reply> replies)
{
    std::vector<size_t> wanted;
    const bool detail = context.depth == Depth::Detail;
    if (context.payloads != PayloadRead::Full)
        return wanted;
    for (size_t i = 0; i < setCount; ++i) {
        const qint64 members = countOf(replies[Places::sets + 2 * i]);
        const qint64 bytes = countOf(replies[Places::sets + 2 * i + 1]);
        const bool alone = countOf(replies[Places::queues]) == 1 && !detail;
        if (members > 0 && !alone && members <= mostMembers[detail] &&
            bytes <= mostSetBytes[detail])
            wanted.push_back(i);
    }
    return wanted;
}

std::vector<QByteArray> processesOf(std::span<const Reply> replies)
{
    std::vector<QByteArray> names;
    const Reply& scan = replies[Places::processes];
    if (scan.items.size() < 2)
        return names;
    for (const Reply& name : scan.items[1].items) {
        if (names.size() < 50)
            names.push_back(name.text);
    }
    return names;
}

class Reading
{
public:
    Reading(const SidekiqQueue& queue, std::span<const Reply> replies, const ReadContext& context)
        : m_queue(queue)
        , m_replies(replies)
        , m_context(context)
        , m_places(queue)
        , m_next(m_places.end)
    {}

    State state();

private:
    const Reply& next()
    {
        static const Reply none;
        return m_next < m_replies.size() ? m_replies[m_next++] : none;
    }
    void takeWorking();
    static bool listensTo(const QJsonObject& info, const QString& queue);
    void takeProcesses();
    void takeWork(const Reply& scan, const QByteArray& process, QueueWorker& worker);
    void takeSets();
    void takeNext();
    void takeTotals();
    std::optional<qint64> countBefore(const char* state) const;

    const SidekiqQueue& m_queue;
    std::span<const Reply> m_replies;
    const ReadContext& m_context;
    Places m_places;
    size_t m_next;
    QueueState m_state;
    std::vector<JobState> m_setStates;
    std::vector<JobFacts> m_failed;
    qint64 m_bytes = 0;
    qint64 m_unlisted = 0; ///< jobs in working lists that were not read
};

// The lists of a reliable fetcher contain the jobs of their process, whether it lives or not.
void Reading::takeWorking()
{
    for (size_t i = 0; i < m_queue.working.size(); ++i) {
        const size_t at = Places::working + 3 * i;
        const SidekiqName name = sidekiqNameOf(m_queue.working[i]);
        const bool beats = !sidekiqHeartbeatKey(name).isEmpty() && !m_replies[at + 2].isError();
        const bool alive = countOf(m_replies[at + 2]) > 0;
        const qint64 length = countOf(m_replies[at]);
        m_unlisted += std::max<qint64>(0, length - qint64(m_replies[at + 1].items.size()));
        for (const Reply& payload : m_replies[at + 1].items) {
            m_bytes += payload.text.size();
            std::optional<SidekiqJob> job = sidekiqJobOf(payload.text);
            QueueJob item = queueJobOf(
                StoredJob{m_queue.working[i], payload.text, job ? job->facts : JobFacts()});
            item.facts.worker = name.process;
            if (beats)
                item.facts.leaseAlive = alive;
            m_state.items.push_back(std::move(item));
        }
    }
}

// Version 8 names the queues twice. From version 9 on only the capsules name them, each with its
// weight. A process that names no queues may work on any.
bool Reading::listensTo(const QJsonObject& info, const QString& queue)
{
    const QJsonValue queues = info.value(QLatin1String("queues"));
    const QJsonValue capsules = info.value(QLatin1String("capsules"));
    if (!queues.isArray() && !capsules.isObject())
        return true;
    if (queues.toArray().contains(queue))
        return true;
    const QJsonObject all = capsules.toObject();
    return std::any_of(all.begin(), all.end(), [&](const QJsonValue& capsule) {
        return capsule.toObject().value(QLatin1String("weights")).toObject().contains(queue);
    });
}

void Reading::takeProcesses()
{
    const std::vector<QByteArray> names = processesOf(m_replies);
    m_state.workersKnown = !m_replies[Places::processes].isError();
    for (const QByteArray& name : names) {
        const Reply& fields = next();
        const Reply& ttl = next();
        const Reply& work = next();
        const Reply& workers = next();
        const QJsonObject info = jsonObject(fieldText(fields, 0));
        QueueWorker worker;
        worker.name = name;
        worker.host = jsonText(info, "hostname");
        worker.process = jsonText(info, "pid");
        if (worker.process.isEmpty()) {
            const QList<QByteArray> parts = name.split(':');
            worker.host = parts.value(0);
            worker.process = parts.value(1);
        }
        const qint64 left = ttl.isInteger() ? ttl.integer : -2;
        worker.alive = left != -2;
        if (left >= 0)
            worker.lastSeenMs = m_context.nowMs - std::max<qint64>(0, fullLeaseMs - left);
        worker.jobs = 0;
        takeWork(work, name, worker);
        takeWork(workers, name, worker);
        if (listensTo(info, QString::fromUtf8(m_queue.queue)) || worker.jobs > 0)
            m_state.workers.push_back(std::move(worker));
    }
}

// HSCAN's reply: cursor, {thread, entry, ...}.
void Reading::takeWork(const Reply& scan, const QByteArray& process, QueueWorker& worker)
{
    if (scan.items.size() < 2)
        return;
    const std::vector<Reply>& entries = scan.items[1].items;
    for (size_t i = 1; i < entries.size(); i += 2) {
        std::optional<SidekiqWork> work = sidekiqWorkOf(entries[i].text);
        if (!work || work->queue != m_queue.queue)
            continue;
        worker.jobs = worker.jobs.value_or(0) + 1;
        m_bytes += entries[i].text.size();
        auto item =
            std::find_if(m_state.items.begin(), m_state.items.end(),
                         [&](const QueueJob& known) { return known.facts.id == work->facts.id; });
        work->facts.worker = process;
        if (item != m_state.items.end()) {
            work->facts.leaseAlive = item->facts.leaseAlive;
            item->facts = std::move(work->facts);
            continue;
        }
        work->facts.leaseAlive = worker.alive;
        m_state.items.push_back(queueJobOf(StoredJob{
            m_queue.space + process + ":work", std::move(work->payload), std::move(work->facts)}));
    }
}

std::optional<qint64> Reading::countBefore(const char* state) const
{
    const State* known = m_context.previous;
    const auto* queue = known && !known->problem ? known->as<QueueState>() : nullptr;
    return queue ? countOfState(*queue, state) : std::nullopt;
}

void Reading::takeSets()
{
    const bool alone = countOf(m_replies[Places::queues]) == 1;
    const std::vector<size_t> read = setsToRead(m_context, m_replies);
    for (size_t i = 0; i < setCount; ++i) {
        const SidekiqSet& set = sidekiqSets[i];
        const Reply& size = m_replies[Places::sets + 2 * i];
        std::optional<qint64> count;
        if (std::find(read.begin(), read.end(), i) != read.end()) {
            count = 0;
            for (const ScoredMember& member : scoredMembersOf(next())) {
                m_bytes += member.member.size();
                std::optional<SidekiqJob> job = sidekiqJobOf(member.member);
                if (!job || job->queue != m_queue.queue)
                    continue;
                ++*count;
                if (!job->facts.error.isEmpty())
                    m_failed.push_back(std::move(job->facts));
            }
        } else if (alone || countOf(size) == 0) {
            count = size.isError() ? std::nullopt : std::optional(countOf(size));
        } else if (m_context.payloads != PayloadRead::Full) {
            count = countBefore(set.name);
        }
        // Only GitLab's fetcher uses the set "interrupted".
        if (qstrcmp(set.key, "interrupted") != 0 || count.value_or(0) > 0)
            m_setStates.push_back({set.name, set.role, count});
    }
}

void Reading::takeNext()
{
    for (const Reply& payload : m_replies[Places::next].items) {
        const std::optional<SidekiqJob> job = sidekiqJobOf(payload.text);
        if (job && job->facts.enqueuedMs)
            m_state.oldestReadyMs = std::max<qint64>(0, m_context.nowMs - *job->facts.enqueuedMs);
    }
}

// The number of processed jobs includes the failed ones. Both count all queues. They are this
// queue's own only if there is no other.
void Reading::takeTotals()
{
    const std::optional<qint64> processed = integerOf(m_replies[Places::processed]);
    if (!processed)
        return;
    m_state.failedTotal = integerOf(m_replies[Places::failed]).value_or(0);
    m_state.completedTotal = std::max<qint64>(0, *processed - *m_state.failedTotal);
    const bool alone = countOf(m_replies[Places::queues]) == 1;
    m_state.rateSource = alone ? RateSource::Totals : RateSource::TotalsOfAll;
}

State Reading::state()
{
    takeNext();
    takeTotals();
    takeWorking();
    takeProcesses();
    takeSets();
    m_state.stuckByLibrary = true;
    for (const QueueJob& item : m_state.items) {
        m_state.stuck += item.facts.leaseAlive == false ? 1 : 0;
        if (item.facts.startedMs)
            m_state.oldestProcessingMs = std::max(m_state.oldestProcessingMs.value_or(0),
                                                  m_context.nowMs - *item.facts.startedMs);
    }
    m_state.states.push_back({"enqueued", JobRole::Ready, countOf(m_replies[Places::length])});
    m_state.states.push_back(
        {"busy", JobRole::Processing, qint64(m_state.items.size()) + m_unlisted});
    for (JobState& set : m_setStates)
        m_state.states.push_back(std::move(set));
    m_state.failures = groupsOf(m_failed);
    m_state.failuresRead = qint64(m_failed.size());
    State state;
    quint64 fingerprint = 0;
    for (size_t i = 0; i < setCount; ++i)
        fingerprint = qHashMulti(fingerprint, countOf(m_replies[Places::sets + 2 * i]));
    const PayloadFacts before = m_context.previous ? *m_context.previous->payloads : PayloadFacts();
    finalizeTimes(m_state, m_context);
    finalizeQueue(state, std::move(m_state), m_context.nowMs, m_bytes);
    state.payloads.edit().fingerprint = fingerprint;
    if (m_context.payloads != PayloadRead::Full) {
        state.payloads = before;
        state.payloads.edit().changed = before.changed || before.fingerprint != fingerprint;
    }
    return state;
}

} // namespace

std::vector<Command> sidekiqReads(const SidekiqQueue& queue)
{
    const QByteArray key = sidekiqQueueKey(queue.space, queue.queue);
    std::vector<Command> commands{{"LLEN", key},
                                  {"LRANGE", key, "-1", "-1"},
                                  {"SCARD", queue.space + "queues"},
                                  {"SSCAN", queue.space + "processes", "0", "COUNT", "50"},
                                  {"GETRANGE", queue.space + "stat:processed", "0", "20"},
                                  {"GETRANGE", queue.space + "stat:failed", "0", "20"}};
    for (const SidekiqSet& set : sidekiqSets) {
        commands.push_back({"ZCARD", queue.space + set.key});
        commands.push_back({"MEMORY", "USAGE", queue.space + set.key, "SAMPLES", "5"});
    }
    for (const QByteArray& list : queue.working) {
        const QByteArray heartbeat = sidekiqHeartbeatKey(sidekiqNameOf(list));
        commands.push_back({"LLEN", list});
        commands.push_back({"LRANGE", list, "0", QByteArray::number(jobsInProgressRead - 1)});
        commands.push_back({"EXISTS", heartbeat.isEmpty() ? list : heartbeat});
    }
    return commands;
}

std::vector<Command> sidekiqFurtherReads(const SidekiqQueue& queue, const ReadContext& context,
                                         std::span<const Reply> replies)
{
    if (replies.size() != Places(queue).end)
        return {};
    std::vector<Command> commands;
    for (const QByteArray& process : processesOf(replies)) {
        Command fields{"HMGET", queue.space + process};
        for (const char* field : processFields)
            fields << field;
        commands.push_back(std::move(fields));
        commands.push_back({"PTTL", queue.space + process});
        for (const char* part : {":work", ":workers"})
            commands.push_back({"HSCAN", queue.space + process + part, "0", "COUNT", "100"});
    }
    const qint64 most = mostMembers[context.depth == Depth::Detail];
    for (const size_t i : setsToRead(context, replies)) {
        const SidekiqSet& set = sidekiqSets[i];
        commands.push_back({set.role == JobRole::Dead ? "ZREVRANGE" : "ZRANGE",
                            queue.space + set.key, "0", QByteArray::number(most - 1),
                            "WITHSCORES"});
    }
    return commands;
}

State sidekiqState(const SidekiqQueue& queue, std::span<const Reply> replies,
                   const ReadContext& context)
{
    return Reading(queue, replies, context).state();
}

} // namespace lk
