// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/catalogue/laravel/laraveljobs.h"

#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/jobtexts.h"

namespace lk {

namespace {

constexpr qsizetype nameBytes = 128;

std::optional<Command> pageOf(const QByteArray& main, const JobQuery& query)
{
    if (query.state == "pending")
        return listPageFromLeft(main, query);
    if (query.state == "reserved" || query.state == "delayed")
        return sortedPage(main + ':' + query.state, query, false);
    return std::nullopt;
}

std::optional<qint64> countIn(const QJsonObject& job, const char* name)
{
    const QJsonValue value = job.value(QLatin1String(name));
    return value.isDouble() ? std::optional(value.toInteger()) : std::nullopt;
}

} // namespace

LaravelName laravelNameOf(const QByteArray& name)
{
    const qsizetype at = name.lastIndexOf("queues:");
    if (at < 0 || at + 7 == name.size())
        return {};
    LaravelName found{name, {}, {}};
    for (const char* part : {"delayed", "reserved", "notify"}) {
        if (name.endsWith(':' + QByteArray(part)) &&
            name.size() - qsizetype(qstrlen(part)) - 1 > at + 7) {
            found.part = part;
            found.main.chop(found.part.size() + 1);
        }
    }
    found.queue = found.main.mid(at + 7);
    if (found.queue.startsWith('{') && found.queue.endsWith('}'))
        found.queue = found.queue.mid(1, found.queue.size() - 2);
    return found.queue.isEmpty() ? LaravelName() : found;
}

LaravelPause laravelPauseOf(const QByteArray& name)
{
    constexpr size_t mostMains = 6;
    const QByteArray word = QByteArrayLiteral("illuminate:queue:paused:");
    const qsizetype at = name.indexOf(word);
    const qsizetype colon = at < 0 ? -1 : name.indexOf(':', at + word.size());
    if (colon < 0 || colon + 1 == name.size())
        return {};
    LaravelPause pause{name.mid(colon + 1), {}};
    // The connection's prefix ends somewhere before the cache's, usually after "database".
    for (qsizetype end = 0; end <= at && pause.mains.size() < mostMains; ++end) {
        const char before = end > 0 ? name[end - 1] : ':';
        if (before == ':' || before == '_' || before == '-')
            pause.mains.push_back(name.left(end) + "queues:" + pause.queue);
    }
    return pause;
}

std::optional<JobFacts> laravelJobOf(const QByteArray& payload)
{
    const QJsonObject json = jsonObject(payload);
    const bool ours = json.contains(QLatin1String("displayName")) &&
                      json.contains(QLatin1String("job")) && json.contains(QLatin1String("data")) &&
                      json.contains(QLatin1String("attempts"));
    if (!ours)
        return std::nullopt;
    JobFacts job;
    job.id = jsonText(json, "id");
    job.name = jsonText(json, "displayName").left(nameBytes);
    job.attempts = countIn(json, "attempts");
    job.mostAttempts = countIn(json, "maxTries");
    job.enqueuedMs = timeMs(jsonText(json, "createdAt")); // since Laravel 11
    if (!job.enqueuedMs)
        job.enqueuedMs = timeMs(jsonText(json, "pushedAt")); // by Horizon
    return job;
}

std::vector<Command> laravelJobReads(const QByteArray& main, const JobQuery& query,
                                     std::span<const Reply> replies)
{
    const std::optional<Command> page = pageOf(main, query);
    if (!page || !replies.empty())
        return {};
    return {*page, {"TIME"}};
}

std::vector<StoredJob> laravelJobs(const QByteArray& main, const JobQuery& query,
                                   std::span<const Reply> replies)
{
    std::vector<StoredJob> jobs;
    const std::optional<Command> page = pageOf(main, query);
    if (!page || replies.size() < 2)
        return jobs;
    const std::optional<qint64> nowMs = serverTimeMs(replies[1]);
    size_t place = 0;
    for (const QByteArray& payload : membersOf(*page, replies[0])) {
        const size_t score = 2 * place++ + 1;
        std::optional<JobFacts> facts = laravelJobOf(payload);
        StoredJob job{(*page).args()[1], payload, facts ? std::move(*facts) : JobFacts()};
        const std::optional<double> moment =
            score < replies[0].items.size() ? scoreOf(replies[0].items[score].text) : std::nullopt;
        if (query.state == "delayed" && moment)
            job.facts.dueMs = qint64(*moment * 1000);
        if (query.state == "reserved" && moment && nowMs)
            job.facts.leaseAlive = *moment * 1000 > double(*nowMs);
        jobs.push_back(std::move(job));
    }
    return jobs;
}

} // namespace lk
