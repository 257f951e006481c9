// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/catalogue/rq/rqjobs.h"

#include "backend/libraries/catalogue/rq/rqnames.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/jobtexts.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace lk {

namespace {

enum Field : size_t {
    Description,
    Status,
    EnqueuedAt,
    StartedAt,
    EndedAt,
    WorkerName,
    CreatedAt,
    Error, // before 1.12, zlib-compressed; then in the stream of results
    FailureTtl,
    FieldCount
};
constexpr const char* fieldNames[FieldCount] = {"description", "status",   "enqueued_at",
                                                "started_at",  "ended_at", "worker_name",
                                                "created_at",  "exc_info", "failure_ttl"};
constexpr size_t DependencyIds = 0; // in lightFields
constexpr const char* lightFields[] = {"dependency_ids", "status",          "origin",
                                       "timeout",        "created_at",      "last_heartbeat",
                                       "retries_left",   "retry_intervals", "ttl",
                                       "result_ttl",     "failure_ttl",     "number_of_retries"};
constexpr qsizetype nameBytes = 128;
constexpr qsizetype mostErrorBytes = 64 * 1024;

// A call in readable form: "mails.send('ada')". Its arguments are the job's payload.
QByteArray functionOf(const QByteArray& description)
{
    const qsizetype bracket = description.indexOf('(');
    return (bracket > 0 ? description.left(bracket) : description).left(nameBytes);
}

// The latest entry of the stream of results: {{id, {field, value, ...}}}.
QByteArray resultField(const Reply* result, const char* field)
{
    if (!result || result->items.empty() || result->items[0].items.size() < 2)
        return {};
    const std::vector<Reply>& values = result->items[0].items[1].items;
    for (size_t i = 0; i + 1 < values.size(); i += 2) {
        if (values[i].text == field)
            return values[i + 1].text;
    }
    return {};
}

QByteArray tracebackOf(const Reply& fields, const Reply* result)
{
    const QByteArray packed = QByteArray::fromBase64(resultField(result, "exc_string"));
    const QByteArray text = inflated(packed, mostErrorBytes);
    if (!text.isEmpty())
        return text;
    const QByteArray own = fieldText(fields, Error);
    const QByteArray unpacked = inflated(own, mostErrorBytes);
    return unpacked.isEmpty() ? own : unpacked;
}

} // namespace

Command rqJobRead(const QByteArray& stem, const QByteArray& id)
{
    Command command{"HMGET", rqJobKey(stem, id)};
    for (const char* field : fieldNames)
        command << field;
    return command;
}

Command rqResultRead(const QByteArray& stem, const QByteArray& id)
{
    return {"XREVRANGE", stem + "results:" + id, "+", "-", "COUNT", "1"};
}

JobFacts rqJobOf(const QByteArray& id, const Reply& fields, const Reply* result)
{
    JobFacts job;
    job.id = id;
    job.name = functionOf(fieldText(fields, Description));
    job.worker = fieldText(fields, WorkerName);
    job.enqueuedMs = isoTimeMs(fieldText(fields, EnqueuedAt));
    if (!job.enqueuedMs)
        job.enqueuedMs = isoTimeMs(fieldText(fields, CreatedAt));
    job.readyMs = isoTimeMs(fieldText(fields, EnqueuedAt)); // the time of its last try
    job.startedMs = isoTimeMs(fieldText(fields, StartedAt));
    job.finishedMs = isoTimeMs(fieldText(fields, EndedAt));
    job.error = firstLine(lastLine(tracebackOf(fields, result)));
    return job;
}

bool isRqJobGone(const Reply& fields)
{
    return fieldText(fields, CreatedAt).isEmpty();
}

std::optional<qint64> rqFailedMs(const Reply& fields, double score)
{
    constexpr qint64 usualS = 365 * 86'400;
    const qint64 keptS = wholeNumber(fieldText(fields, FailureTtl)).value_or(usualS);
    return keptS < 0 ? std::nullopt : std::optional((qint64(score) - keptS) * 1000);
}

namespace {

// Reads ids from JSON. These jobs have to end before the job is enqueued.
std::vector<QByteArray> dependenciesOf(const Reply& light)
{
    std::vector<QByteArray> ids;
    const QByteArray text = fieldText(light, DependencyIds);
    for (const QJsonValue& id : QJsonDocument::fromJson(text).array())
        ids.push_back(id.toString().toUtf8());
    std::erase(ids, QByteArray());
    return ids;
}

// The jobs that it waits for, then those that wait for it.
std::vector<JobLink> linksOf(const std::vector<QByteArray>& dependencies, const Reply& dependents)
{
    std::vector<JobLink> links;
    for (const QByteArray& id : dependencies) {
        if (qint64(links.size()) < mostJobLinks)
            links.push_back({JobLink::Relation::WaitsFor, {}, id, {}});
    }
    std::vector<QByteArray> after;
    for (const Reply& id : dependents.items)
        after.push_back(id.text);
    std::sort(after.begin(), after.end());
    for (const QByteArray& id : after)
        links.push_back({JobLink::Relation::NeededBy, {}, id, {}});
    return links;
}

} // namespace

Read<JobDetail> readRqDetail(QByteArray stem, QByteArray id, const JobRead& read, JobDetail detail)
{
    Command light{"HMGET", rqJobKey(stem, id)};
    for (const char* field : lightFields)
        light << field;
    const QByteArray dependents = rqJobKey(stem, id) + ":dependents";
    std::vector<Command> first{
        rqResultRead(stem, id), std::move(light), Command{"SCARD", dependents},
        Command{"SRANDMEMBER", dependents, QByteArray::number(mostJobLinks)}};
    const std::vector<Reply> replies = co_await ask(std::move(first));
    const Reply& fields = read.replies[0];
    // The call with its arguments. The worker gets the same call as a pickle.
    detail.payload = fieldText(fields, Description);
    detail.payloadCut = false;
    detail.stack = tracebackOf(fields, &replies[0]);
    detail.facts.error = firstLine(lastLine(detail.stack));
    for (size_t i = 0; i < std::size(lightFields); ++i) {
        if (const QByteArray value = fieldText(replies[1], i); !value.isEmpty())
            detail.fields.emplace_back(lightFields[i], value);
    }
    const std::vector<QByteArray> waitsFor = dependenciesOf(replies[1]);
    detail.links = linksOf(waitsFor, replies[3]);
    detail.linksLeftOut = std::max<qint64>(0, qint64(waitsFor.size()) + countOf(replies[2]) -
                                                  qint64(detail.links.size()));
    std::vector<Command> places;
    for (const JobLink& link : detail.links)
        places.push_back({"HMGET", rqJobKey(stem, link.id), "origin", "status"});
    const std::vector<Reply> linked = co_await ask(std::move(places));
    for (size_t i = 0; i < linked.size(); ++i) {
        const QByteArray origin = fieldText(linked[i], 0);
        detail.links[i].queue = origin.isEmpty() ? QByteArray() : rqQueueKey(stem, origin);
        detail.links[i].state = fieldText(linked[i], 1);
    }
    co_return detail;
}

} // namespace lk
