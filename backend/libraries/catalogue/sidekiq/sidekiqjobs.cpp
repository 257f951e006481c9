// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/catalogue/sidekiq/sidekiqjobs.h"

#include "backend/libraries/catalogue/sidekiq/sidekiqnames.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/detect/valueshape.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/jobtexts.h"

#include <QJsonDocument>

#include <algorithm>

namespace lk {

namespace {

constexpr qsizetype nameBytes = 128;
constexpr qint64 chunk = 500;    // members of a shared set that are read at a time
constexpr size_t mostChunks = 8; // for one page; jobs further down are not listed
constexpr qint64 retriesByDefault = 25;
constexpr const char* processesRead = "50";

std::optional<qint64> timeOf(const QJsonObject& job, const char* name)
{
    return timeMs(jsonText(job, name));
}

// "retry" is a number, true for Sidekiq's default, or false.
std::optional<qint64> mostAttemptsOf(const QJsonObject& job)
{
    const QJsonValue retry = job.value(QLatin1String("retry"));
    if (retry.isDouble())
        return retry.toInteger() + 1;
    if (retry.isBool())
        return retry.toBool() ? retriesByDefault + 1 : 1;
    return std::nullopt;
}

QByteArray errorOf(const QJsonObject& job)
{
    const QByteArray name = jsonText(job, "error_class");
    const QByteArray message = jsonText(job, "error_message");
    if (name.isEmpty() || message.isEmpty())
        return firstLine(name + message);
    return firstLine(name + ": " + message);
}

const SidekiqSet* findSet(const QByteArray& state)
{
    const auto set = std::find_if(std::begin(sidekiqSets), std::end(sidekiqSets),
                                  [&](const SidekiqSet& s) { return state == s.name; });
    return set == std::end(sidekiqSets) ? nullptr : set;
}

// Reads the newest first for ended jobs, else those that are due next.
Command chunkOf(const SidekiqQueue& queue, const SidekiqSet& set, size_t number)
{
    const qint64 from = qint64(number) * chunk;
    return {set.role == JobRole::Dead ? "ZREVRANGE" : "ZRANGE", queue.space + set.key,
            QByteArray::number(from), QByteArray::number(from + chunk - 1), "WITHSCORES"};
}

std::vector<StoredJob> jobsInSet(const SidekiqQueue& queue, const SidekiqSet& set,
                                 std::span<const Reply> replies)
{
    std::vector<StoredJob> jobs;
    for (const Reply& reply : replies) {
        for (const ScoredMember& member : scoredMembersOf(reply)) {
            std::optional<SidekiqJob> job = sidekiqJobOf(member.member);
            if (!job || job->queue != queue.queue)
                continue;
            if (set.role == JobRole::Delayed)
                job->facts.dueMs = qint64(member.score * 1000);
            jobs.push_back({queue.space + set.key, member.member, std::move(job->facts)});
        }
    }
    return jobs;
}

std::vector<Command> setReads(const SidekiqQueue& queue, const SidekiqSet& set,
                              const JobQuery& query, std::span<const Reply> replies)
{
    const bool more = replies.empty() || qint64(replies.back().items.size()) >= 2 * chunk;
    const bool wanted = qint64(jobsInSet(queue, set, replies).size()) < query.offset + query.limit;
    return more && wanted && replies.size() < mostChunks
               ? std::vector{chunkOf(queue, set, replies.size())}
               : std::vector<Command>();
}

// Reads the jobs in progress: the processes, the jobs of each process, and the working lists.
std::vector<Command> busyReads(const SidekiqQueue& queue, std::span<const Reply> replies)
{
    std::vector<Command> commands;
    if (replies.empty()) {
        commands.push_back({"SSCAN", queue.space + "processes", "0", "COUNT", processesRead});
        for (const QByteArray& list : queue.working) {
            const QByteArray heartbeat = sidekiqHeartbeatKey(sidekiqNameOf(list));
            commands.push_back({"LRANGE", list, "0", QByteArray::number(jobsInProgressRead - 1)});
            commands.push_back({"EXISTS", heartbeat.isEmpty() ? list : heartbeat});
        }
        return commands;
    }
    if (replies.size() > 1 + 2 * queue.working.size() || replies[0].items.size() < 2)
        return commands;
    for (const Reply& process : replies[0].items[1].items) {
        for (const char* part : {":work", ":workers"})
            commands.push_back({"HSCAN", queue.space + process.text + part, "0", "COUNT", "100"});
    }
    return commands;
}

std::vector<StoredJob> busyJobs(const SidekiqQueue& queue, std::span<const Reply> replies)
{
    std::vector<StoredJob> jobs;
    const size_t lists = 1 + 2 * queue.working.size();
    if (replies.size() < lists)
        return jobs;
    for (size_t i = 0; i < queue.working.size(); ++i) {
        for (const Reply& payload : replies[1 + 2 * i].items) {
            if (std::optional<SidekiqJob> job = sidekiqJobOf(payload.text)) {
                job->facts.worker = sidekiqNameOf(queue.working[i]).process;
                job->facts.leaseAlive = countOf(replies[2 + 2 * i]) > 0;
                jobs.push_back({queue.working[i], payload.text, std::move(job->facts)});
            }
        }
    }
    for (size_t i = lists; i < replies.size() && !replies[0].items.empty(); ++i) {
        const std::vector<Reply>& processes = replies[0].items[1].items;
        const QByteArray process = processes[std::min((i - lists) / 2, processes.size() - 1)].text;
        if (replies[i].items.size() < 2)
            continue;
        const std::vector<Reply>& entries = replies[i].items[1].items;
        for (size_t e = 1; e < entries.size(); e += 2) {
            std::optional<SidekiqWork> work = sidekiqWorkOf(entries[e].text);
            if (!work || work->queue != queue.queue)
                continue;
            const auto listed = std::find_if(jobs.begin(), jobs.end(), [&](const StoredJob& job) {
                return job.facts.id == work->facts.id;
            });
            work->facts.worker = process;
            if (listed != jobs.end()) {
                work->facts.leaseAlive = listed->facts.leaseAlive;
                listed->facts = std::move(work->facts);
            } else
                jobs.push_back({queue.space + process + ":work", std::move(work->payload),
                                std::move(work->facts)});
        }
    }
    return jobs;
}

void cutPage(std::vector<StoredJob>& jobs, const JobQuery& query)
{
    const auto size = qint64(jobs.size());
    const qint64 from = std::clamp<qint64>(query.offset, 0, size);
    const qint64 to = std::clamp<qint64>(from + query.limit, from, size);
    jobs.erase(jobs.begin() + to, jobs.end());
    jobs.erase(jobs.begin(), jobs.begin() + from);
}

} // namespace

std::optional<SidekiqJob> sidekiqJobOf(const QByteArray& payload)
{
    const QJsonObject json = jsonObject(payload);
    const QByteArray jid = jsonText(json, "jid");
    const QByteArray name = jsonText(json, "class");
    if (name.isEmpty() || jid.size() != 24 || !isHex(jid))
        return std::nullopt;
    SidekiqJob job;
    job.queue = jsonText(json, "queue");
    job.facts.id = jid;
    const QByteArray wrapped = jsonText(json, "wrapped"); // by Rails' ActiveJob
    job.facts.name = (wrapped.isEmpty() ? name : wrapped).left(nameBytes);
    job.facts.enqueuedMs = timeOf(json, "enqueued_at");
    job.facts.readyMs = job.facts.enqueuedMs; // the time of its last try
    if (!job.facts.enqueuedMs)
        job.facts.enqueuedMs = timeOf(json, "created_at");
    job.facts.finishedMs = timeOf(json, "retried_at");
    if (!job.facts.finishedMs)
        job.facts.finishedMs = timeOf(json, "failed_at");
    if (const QJsonValue failures = json.value(QLatin1String("retry_count")); failures.isDouble())
        job.facts.attempts = failures.toInteger() + 1;
    job.facts.mostAttempts = mostAttemptsOf(json);
    job.facts.error = errorOf(json);
    return job;
}

void addSidekiqBatch(const QByteArray& queue, JobDetail& detail)
{
    const QByteArray batch = jsonText(jsonObject(detail.payload), "bid");
    if (!batch.isEmpty() && batch.size() <= nameBytes)
        detail.links.push_back({JobLink::Relation::Group, queue, batch, {}});
}

std::optional<SidekiqWork> sidekiqWorkOf(const QByteArray& entry)
{
    const QJsonObject json = jsonObject(entry);
    const QJsonValue inner = json.value(QLatin1String("payload"));
    // The job itself before Sidekiq 6, its text since then.
    const QByteArray payload = inner.isObject()
                                   ? QJsonDocument(inner.toObject()).toJson(QJsonDocument::Compact)
                                   : inner.toString().toUtf8();
    std::optional<SidekiqJob> job = sidekiqJobOf(payload);
    if (!job)
        return std::nullopt;
    SidekiqWork work{jsonText(json, "queue"), payload, std::move(job->facts)};
    work.facts.startedMs = timeOf(json, "run_at");
    return work;
}

std::vector<Command> sidekiqJobReads(const SidekiqQueue& queue, const JobQuery& query,
                                     std::span<const Reply> replies)
{
    if (const SidekiqSet* set = findSet(query.state))
        return setReads(queue, *set, query, replies);
    if (query.state == "busy")
        return busyReads(queue, replies);
    if (query.state == "enqueued" && replies.empty())
        return {listPageFromRight(sidekiqQueueKey(queue.space, queue.queue), query)};
    return {};
}

std::vector<StoredJob> sidekiqJobs(const SidekiqQueue& queue, const JobQuery& query,
                                   std::span<const Reply> replies)
{
    std::vector<StoredJob> jobs;
    if (const SidekiqSet* set = findSet(query.state)) {
        jobs = jobsInSet(queue, *set, replies);
        cutPage(jobs, query);
    } else if (query.state == "busy") {
        jobs = busyJobs(queue, replies);
        cutPage(jobs, query);
    } else if (query.state == "enqueued" && !replies.empty()) {
        const QByteArray key = sidekiqQueueKey(queue.space, queue.queue);
        for (const QByteArray& payload : membersOf(listPageFromRight(key, query), replies[0])) {
            std::optional<SidekiqJob> job = sidekiqJobOf(payload);
            jobs.push_back({key, payload, job ? std::move(job->facts) : JobFacts()});
        }
    }
    return jobs;
}

} // namespace lk
