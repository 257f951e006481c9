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
constexpr size_t processesRead = 50;

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

Read<std::vector<StoredJob>> readSet(SidekiqQueue queue, SidekiqSet set, JobQuery query)
{
    std::vector<StoredJob> jobs;
    for (size_t number = 0; number < mostChunks; ++number) {
        const std::vector<Command> command(1, chunkOf(queue, set, number));
        const std::span<const Reply> replies = co_await askLast(command);
        const std::vector<ScoredMember> members = scoredMembersOf(replies[0]);
        for (const ScoredMember& member : members) {
            std::optional<SidekiqJob> job = sidekiqJobOf(member.member);
            if (!job || job->queue != queue.queue)
                continue;
            if (set.role == JobRole::Delayed)
                job->facts.dueMs = qint64(member.score * 1000);
            jobs.push_back({queue.space + set.key, member.member, std::move(job->facts)});
        }
        if (qint64(members.size()) < chunk || qint64(jobs.size()) >= query.offset + query.limit)
            break;
    }
    cutToPage(jobs, query);
    co_return jobs;
}

Read<std::vector<StoredJob>> readBusy(SidekiqQueue queue, JobQuery query)
{
    const std::vector<Command> processes(1, sidekiqProcessesRead(queue));
    auto [lists, scan] = co_await together(readSidekiqWorking(queue), replied(processes));
    std::vector<StoredJob> work = co_await readSidekiqWork(queue, sidekiqProcessesOf(scan[0]));
    std::vector<StoredJob> jobs = sidekiqBusy(lists, std::move(work));
    cutToPage(jobs, query);
    co_return jobs;
}

Read<std::vector<StoredJob>> readEnqueued(SidekiqQueue queue, JobQuery query)
{
    const QByteArray key = sidekiqQueueKey(queue.space, queue.queue);
    const std::vector<Command> page(1, listPageFromRight(key, query));
    const std::vector<Reply> replies = co_await ask(page);
    std::vector<StoredJob> jobs;
    for (const QByteArray& payload : membersOf(page[0], replies[0])) {
        std::optional<SidekiqJob> job = sidekiqJobOf(payload);
        jobs.push_back({key, payload, job ? std::move(job->facts) : JobFacts()});
    }
    co_return jobs;
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

Read<std::vector<SidekiqWorking>> readSidekiqWorking(SidekiqQueue queue)
{
    std::vector<Command> commands;
    for (const QByteArray& list : queue.working) {
        const QByteArray heartbeat = sidekiqHeartbeatKey(sidekiqNameOf(list));
        commands.push_back({"LLEN", list});
        commands.push_back({"LRANGE", list, "0", QByteArray::number(jobsInProgressRead - 1)});
        commands.push_back({"EXISTS", heartbeat.isEmpty() ? list : heartbeat});
    }
    const std::vector<Reply> replies = co_await ask(std::move(commands));
    std::vector<SidekiqWorking> lists;
    for (size_t i = 0; i < queue.working.size(); ++i) {
        const SidekiqName name = sidekiqNameOf(queue.working[i]);
        const Reply& alive = replies[3 * i + 2];
        const bool beats = !sidekiqHeartbeatKey(name).isEmpty() && !alive.isError();
        SidekiqWorking& list = lists.emplace_back();
        list.length = countOf(replies[3 * i]);
        for (const QByteArray& payload : textsOf(replies[3 * i + 1])) {
            std::optional<SidekiqJob> job = sidekiqJobOf(payload);
            StoredJob stored{queue.working[i], payload, job ? job->facts : JobFacts()};
            stored.facts.worker = name.process;
            if (beats)
                stored.facts.leaseAlive = countOf(alive) > 0;
            list.jobs.push_back(std::move(stored));
        }
    }
    co_return lists;
}

Command sidekiqProcessesRead(const SidekiqQueue& queue)
{
    return {"SSCAN", queue.space + "processes", "0", "COUNT", QByteArray::number(processesRead)};
}

std::vector<QByteArray> sidekiqProcessesOf(const Reply& scan)
{
    std::vector<QByteArray> processes =
        scan.items.size() < 2 ? std::vector<QByteArray>() : textsOf(scan.items[1]);
    processes.resize(std::min(processes.size(), processesRead));
    return processes;
}

Read<std::vector<StoredJob>> readSidekiqWork(SidekiqQueue queue, std::vector<QByteArray> processes)
{
    std::vector<Command> commands;
    for (const QByteArray& process : processes) {
        for (const char* part : {":work", ":workers"})
            commands.push_back({"HSCAN", queue.space + process + part, "0", "COUNT", "100"});
    }
    const std::vector<Reply> replies = co_await ask(std::move(commands));
    std::vector<StoredJob> jobs;
    for (size_t i = 0; i < replies.size(); ++i) {
        if (replies[i].items.size() < 2)
            continue;
        const QByteArray& process = processes[i / 2];
        const std::vector<Reply>& entries = replies[i].items[1].items; // thread, entry, ...
        for (size_t entry = 1; entry < entries.size(); entry += 2) {
            std::optional<SidekiqWork> work = sidekiqWorkOf(entries[entry].text);
            if (!work || work->queue != queue.queue)
                continue;
            work->facts.worker = process;
            jobs.push_back({queue.space + process + ":work", std::move(work->payload),
                            std::move(work->facts)});
        }
    }
    co_return jobs;
}

std::vector<StoredJob> sidekiqBusy(const std::vector<SidekiqWorking>& lists,
                                   std::vector<StoredJob> work)
{
    std::vector<StoredJob> jobs;
    for (const SidekiqWorking& list : lists)
        jobs.insert(jobs.end(), list.jobs.begin(), list.jobs.end());
    for (StoredJob& one : work) {
        const auto listed = std::find_if(jobs.begin(), jobs.end(), [&](const StoredJob& job) {
            return job.facts.id == one.facts.id;
        });
        if (listed == jobs.end()) {
            jobs.push_back(std::move(one));
            continue;
        }
        one.facts.leaseAlive = listed->facts.leaseAlive;
        listed->facts = std::move(one.facts);
    }
    return jobs;
}

Read<std::vector<StoredJob>> readSidekiqJobs(SidekiqQueue queue, JobQuery query)
{
    std::vector<StoredJob> jobs;
    if (const SidekiqSet* set = findSet(query.state))
        jobs = co_await readSet(queue, *set, query);
    else if (query.state == "busy")
        jobs = co_await readBusy(queue, query);
    else if (query.state == "enqueued")
        jobs = co_await readEnqueued(queue, query);
    co_return jobs;
}

} // namespace lk
