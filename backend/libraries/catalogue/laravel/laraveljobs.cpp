// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/catalogue/laravel/laraveljobs.h"

#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/jobtexts.h"

namespace lk {

namespace {

constexpr qsizetype nameBytes = 128;

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

} // namespace lk
