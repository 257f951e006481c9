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

const RqState* findState(const QByteArray& name)
{
    const auto state = std::find_if(std::begin(rqStates), std::end(rqStates),
                                    [&](const RqState& s) { return name == s.name; });
    return state == std::end(rqStates) ? nullptr : state;
}

Command pageOf(const QByteArray& stem, const QByteArray& queue, const RqState& state,
               const JobQuery& query)
{
    const QByteArray key = stem + state.part + ':' + queue;
    if (state.score == RqState::Score::None)
        return listPageFromLeft(key, query);
    return sortedPage(key, query, state.score == RqState::Score::Expiry);
}

bool isLeased(const RqState& state)
{
    return state.score == RqState::Score::Lease;
}

bool asksResults(const RqState& state)
{
    return state.role == JobRole::Dead;
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

Command rqWorkerRead(const QByteArray& stem, const QByteArray& name)
{
    return {"EXISTS", stem + "worker:" + name};
}

bool isWorkerGone(const JobFacts& job, const Reply& exists)
{
    return !job.worker.isEmpty() && exists.isInteger() && exists.integer == 0;
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

std::optional<qint64> rqFailedMs(const Reply& fields, double score)
{
    constexpr qint64 usualS = 365 * 86'400;
    const qint64 keptS = wholeNumber(fieldText(fields, FailureTtl)).value_or(usualS);
    return keptS < 0 ? std::nullopt : std::optional((qint64(score) - keptS) * 1000);
}

std::vector<Command> rqJobReads(const QByteArray& stem, const QByteArray& queue,
                                const JobQuery& query, std::span<const Reply> replies)
{
    const RqState* state = findState(query.state);
    if (!state)
        return {};
    const Command page = pageOf(stem, queue, *state, query);
    if (replies.empty())
        return {page, {"TIME"}};
    std::vector<Command> commands;
    if (replies.size() > 2) {
        const size_t jobs = membersOf(page, replies[0]).size();
        for (size_t i = 0; isLeased(*state) && replies.size() == 2 + 2 * jobs && i < jobs; ++i)
            commands.push_back(rqWorkerRead(stem, fieldText(replies[2 + 2 * i], WorkerName)));
        return commands;
    }
    for (const QByteArray& member : membersOf(page, replies[0])) {
        const QByteArray id = rqJobIdOf(member);
        commands.push_back(rqJobRead(stem, id));
        commands.push_back({"HSTRLEN", rqJobKey(stem, id), "data"});
        if (asksResults(*state))
            commands.push_back(rqResultRead(stem, id));
    }
    return commands;
}

std::vector<StoredJob> rqJobs(const QByteArray& stem, const QByteArray& queue,
                              const JobQuery& query, std::span<const Reply> replies)
{
    std::vector<StoredJob> jobs;
    const RqState* state = findState(query.state);
    if (!state || replies.size() < 2)
        return jobs;
    const std::optional<qint64> nowMs = serverTimeMs(replies[1]);
    const Command page = pageOf(stem, queue, *state, query);
    const size_t each = asksResults(*state) ? 3 : 2;
    size_t next = 2;
    size_t place = 0;
    for (const QByteArray& member : membersOf(page, replies[0])) {
        const size_t at = 2 * place++ + 1;
        if (next + each > replies.size())
            break;
        StoredJob job{stem + state->part + ':' + queue, {}};
        job.facts =
            rqJobOf(rqJobIdOf(member), replies[next], each == 3 ? &replies[next + 2] : nullptr);
        job.size = countOf(replies[next + 1]);
        const std::optional<double> score =
            at < replies[0].items.size() ? scoreOf(replies[0].items[at].text) : std::nullopt;
        if (state->score == RqState::Score::Due && score)
            job.facts.dueMs = qint64(*score * 1000);
        if (state->role == JobRole::Dead && score && !job.facts.finishedMs)
            job.facts.finishedMs = rqFailedMs(replies[next], *score);
        if (isLeased(*state) && score && nowMs)
            job.facts.leaseAlive = *score * 1000 >= double(*nowMs);
        jobs.push_back(std::move(job));
        next += each;
    }
    for (StoredJob& job : jobs) {
        if (isLeased(*state) && next < replies.size() && isWorkerGone(job.facts, replies[next++]))
            job.facts.leaseAlive = false;
    }
    return jobs;
}

namespace {

// The positions of a detail's first replies.
enum First : size_t { Facts, Result, Light, NeededByCount, NeededBy, FirstCount };

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

// The related jobs, in the order in which they are read and linked.
std::vector<JobLink> linksOf(std::span<const Reply> first)
{
    std::vector<JobLink> links;
    for (const QByteArray& id : dependenciesOf(first[Light])) {
        if (qint64(links.size()) < mostJobLinks)
            links.push_back({JobLink::Relation::WaitsFor, {}, id, {}});
    }
    std::vector<QByteArray> after;
    for (const Reply& id : first[NeededBy].items)
        after.push_back(id.text);
    std::sort(after.begin(), after.end());
    for (const QByteArray& id : after)
        links.push_back({JobLink::Relation::NeededBy, {}, id, {}});
    return links;
}

} // namespace

std::vector<Command> rqJobDetailReads(const QByteArray& stem, const QByteArray& id,
                                      std::span<const Reply> replies)
{
    if (replies.size() == FirstCount) {
        std::vector<Command> commands;
        for (const JobLink& link : linksOf(replies))
            commands.push_back({"HMGET", rqJobKey(stem, link.id), "origin", "status"});
        return commands;
    }
    if (!replies.empty())
        return {};
    Command light{"HMGET", rqJobKey(stem, id)};
    for (const char* field : lightFields)
        light << field;
    const QByteArray dependents = rqJobKey(stem, id) + ":dependents";
    return {rqJobRead(stem, id),
            rqResultRead(stem, id),
            std::move(light),
            {"SCARD", dependents},
            {"SRANDMEMBER", dependents, QByteArray::number(mostJobLinks)}};
}

JobDetail rqJobDetail(const QByteArray& stem, const QByteArray& id, std::span<const Reply> replies)
{
    JobDetail detail;
    const bool there = replies.size() >= FirstCount && !fieldText(replies[0], CreatedAt).isEmpty();
    if (!there) {
        detail.problem = lk::Error{ErrorCode::NotFound, {}};
        return detail;
    }
    detail.facts = rqJobOf(id, replies[0], &replies[1]);
    // The call with its arguments. The worker gets the same call as a pickle.
    detail.payload = fieldText(replies[0], Description);
    detail.stack = tracebackOf(replies[0], &replies[1]);
    for (size_t i = 0; i < std::size(lightFields); ++i) {
        if (const QByteArray value = fieldText(replies[2], i); !value.isEmpty())
            detail.fields.emplace_back(lightFields[i], value);
    }
    const auto waitsFor = qint64(dependenciesOf(replies[Light]).size());
    detail.links = linksOf(replies.first(FirstCount));
    detail.linksLeftOut = std::max<qint64>(0, waitsFor + countOf(replies[NeededByCount]) -
                                                  qint64(detail.links.size()));
    for (size_t i = 0; i < detail.links.size() && FirstCount + i < replies.size(); ++i) {
        const Reply& job = replies[FirstCount + i];
        const QByteArray origin = fieldText(job, 0);
        detail.links[i].queue = origin.isEmpty() ? QByteArray() : rqQueueKey(stem, origin);
        detail.links[i].state = fieldText(job, 1);
    }
    return detail;
}

} // namespace lk
