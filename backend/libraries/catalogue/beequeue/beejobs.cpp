// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/catalogue/beequeue/beejobs.h"

#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/setpage.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 mostJobBytes = 64 * 1024; ///< of a job in a table
constexpr qint64 beeJobsMostDetailBytes = 1024 * 1024;

constexpr BeeState beeJobsStates[beeStateCount] = {
    {"waiting", JobRole::Ready, BeeState::Shape::List},
    {"active", JobRole::Processing, BeeState::Shape::List},
    {"delayed", JobRole::Delayed, BeeState::Shape::Sorted},
    {"failed", JobRole::Dead, BeeState::Shape::Set},
    {"succeeded", JobRole::Done, BeeState::Shape::Set},
};

QByteArray textOf(const QJsonValue& value)
{
    if (value.isObject())
        return QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact);
    if (value.isArray())
        return QJsonDocument(value.toArray()).toJson(QJsonDocument::Compact);
    return value.toVariant().toString().toUtf8();
}

// A job as its field in the hash has it: {data, options, status, progress}.
struct Job
{
    JobFacts facts;
    QJsonObject stored; ///< empty: gone or too large
};

Job jobOf(const QByteArray& id, const Reply& field)
{
    Job job;
    job.facts.id = id;
    if (!field.isText())
        return job;
    job.stored = QJsonDocument::fromJson(field.text).object();
    const QJsonObject options = job.stored.value(QLatin1String("options")).toObject();
    const QJsonValue timestamp = options.value(QLatin1String("timestamp"));
    if (timestamp.isDouble())
        job.facts.enqueuedMs = timestamp.toInteger();
    // Each failure leaves its stack, the latest first.
    const QJsonArray stacks = options.value(QLatin1String("stacktraces")).toArray();
    const bool failed = job.stored.value(QLatin1String("status")).toString() == u"failed";
    job.facts.attempts = stacks.size();
    job.facts.mostAttempts =
        stacks.size() + options.value(QLatin1String("retries")).toInteger() + (failed ? 0 : 1);
    if (!stacks.isEmpty())
        job.facts.error = firstLine(stacks.first().toString().toUtf8());
    const QJsonValue progress = job.stored.value(QLatin1String("progress"));
    if (progress.toDouble(1) != 0)
        job.facts.progress = textOf(progress).left(64);
    return job;
}

QByteArray dataOf(const Job& job)
{
    return textOf(job.stored.value(QLatin1String("data")));
}

} // namespace

std::span<const BeeState, beeStateCount> beeStates()
{
    return beeJobsStates;
}

const BeeState* beeState(const QByteArray& name)
{
    const auto* state = std::find_if(std::begin(beeJobsStates), std::end(beeJobsStates),
                                     [&](const BeeState& s) { return name == s.name; });
    return state == std::end(beeJobsStates) ? nullptr : state;
}

Command beeJobSize(const QByteArray& stem, const QByteArray& id)
{
    return {"HSTRLEN", stem + ":jobs", id};
}

// What is too large is asked for as a field that no job has.
static Command jobRead(const QByteArray& stem, const QByteArray& id, const Reply& size, qint64 most)
{
    return {"HGET", stem + ":jobs", countOf(size) <= most ? id : QByteArray()};
}

Command beeJobRead(const QByteArray& stem, const QByteArray& id, const Reply& size)
{
    return jobRead(stem, id, size, mostJobBytes);
}

JobFacts beeJobOf(const QByteArray& id, const Reply& field)
{
    return jobOf(id, field).facts;
}

Command beeStallingRead(const QByteArray& stem, const QByteArray& id)
{
    return {"SISMEMBER", stem + ":stalling", id};
}

Command beeBlockRead(const QByteArray& stem)
{
    return {"EXISTS", stem + ":stallBlock"};
}

std::optional<bool> isBeeAlive(const Reply& stalling, const Reply& block)
{
    const bool checkedLately = countOf(block) > 0;
    if (countOf(stalling) > 0)
        return checkedLately ? std::nullopt : std::optional(false);
    return checkedLately ? std::optional(true) : std::nullopt;
}

namespace {

// A page of ids, then their sizes, then themselves.
struct BeeJobPlaces
{
    std::vector<QByteArray> ids;
    std::vector<QByteArray> scores; ///< of a sorted set
    std::vector<Command> page;      ///< what is still to be asked for the ids
    size_t first = 0;               ///< where the sizes begin in the replies
};

BeeJobPlaces placesOf(const QByteArray& stem, const BeeState& state, const JobQuery& query,
                      std::span<const Reply> replies)
{
    const QByteArray key = stem + ':' + state.name;
    BeeJobPlaces places;
    if (state.shape == BeeState::Shape::Set) {
        const SetPage set(replies);
        places.page = set.next(key, query);
        places.ids = set.page(query);
        places.first = set.count();
        return places;
    }
    const Command page = state.shape == BeeState::Shape::List ? listPageFromRight(key, query)
                                                              : sortedPage(key, query, false);
    if (replies.empty()) {
        places.page = {page};
        return places;
    }
    places.ids = membersOf(page, replies[0]);
    for (size_t i = 1; state.shape == BeeState::Shape::Sorted && i < replies[0].items.size();
         i += 2)
        places.scores.push_back(replies[0].items[i].text);
    places.first = 1;
    return places;
}

} // namespace

std::vector<Command> beeJobReads(const QByteArray& stem, const BeeState& state,
                                 const JobQuery& query, std::span<const Reply> replies)
{
    const BeeJobPlaces places = placesOf(stem, state, query, replies);
    if (!places.page.empty())
        return places.page;
    const size_t n = places.ids.size();
    std::vector<Command> commands;
    if (replies.size() == places.first) {
        for (const QByteArray& jobId : places.ids)
            commands.push_back(beeJobSize(stem, jobId));
    } else if (replies.size() == places.first + n && n > 0) {
        for (size_t i = 0; i < n; ++i)
            commands.push_back(beeJobRead(stem, places.ids[i], replies[places.first + i]));
        if (state.role == JobRole::Processing) {
            for (const QByteArray& jobId : places.ids)
                commands.push_back(beeStallingRead(stem, jobId));
            commands.push_back(beeBlockRead(stem));
        }
    }
    return commands;
}

std::vector<StoredJob> beeJobs(const QByteArray& stem, const BeeState& state, const JobQuery& query,
                               std::span<const Reply> replies)
{
    std::vector<StoredJob> found;
    if (replies.empty())
        return found;
    const BeeJobPlaces places = placesOf(stem, state, query, replies);
    const size_t n = places.ids.size();
    const bool leases = state.role == JobRole::Processing;
    if (replies.size() < places.first + 2 * n + (leases && n > 0 ? n + 1 : 0))
        return found;
    for (size_t i = 0; i < n; ++i) {
        const Job job = jobOf(places.ids[i], replies[places.first + n + i]);
        StoredJob stored{stem + ':' + state.name, dataOf(job)};
        stored.facts = job.facts;
        if (job.stored.isEmpty())
            stored.size = countOf(replies[places.first + i]);
        if (i < places.scores.size())
            stored.facts.dueMs = timeMs(places.scores[i]);
        if (leases)
            stored.facts.leaseAlive = isBeeAlive(replies[places.first + 2 * n + i], replies.back());
        found.push_back(std::move(stored));
    }
    return found;
}

std::vector<Command> beeJobDetailReads(const QByteArray& stem, const QByteArray& jobId,
                                       std::span<const Reply> replies)
{
    if (replies.empty())
        return {beeJobSize(stem, jobId)};
    if (replies.size() == 1)
        return {jobRead(stem, jobId, replies[0], beeJobsMostDetailBytes),
                beeStallingRead(stem, jobId), beeBlockRead(stem)};
    return {};
}

JobDetail beeJobDetail(const QByteArray& state, const QByteArray& jobId,
                       std::span<const Reply> replies)
{
    JobDetail detail;
    if (replies.size() < 4 || countOf(replies[0]) == 0) {
        detail.problem = Error{ErrorCode::NotFound, {}};
        return detail;
    }
    const Job job = jobOf(jobId, replies[1]);
    detail.facts = job.facts;
    if (state == "active")
        detail.facts.leaseAlive = isBeeAlive(replies[2], replies[3]);
    detail.payload = dataOf(job);
    detail.payloadCut = job.stored.isEmpty();
    const QJsonObject options = job.stored.value(QLatin1String("options")).toObject();
    detail.stack =
        options.value(QLatin1String("stacktraces")).toArray().first().toString().toUtf8();
    for (const char* field : {"retries", "timeout", "backoff", "delay"}) {
        const QJsonValue value = options.value(QLatin1String(field));
        if (!value.isUndefined())
            detail.fields.emplace_back(field, textOf(value));
    }
    return detail;
}

} // namespace lk
