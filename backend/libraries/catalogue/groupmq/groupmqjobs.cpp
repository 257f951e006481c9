// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/catalogue/groupmq/groupmqjobs.h"

#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/setpage.h"

#include <QSet>

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 mostIds = 2000; ///< the most ids that are read from the groups for a page of jobs

constexpr GroupState groupmqJobsStates[groupStateCount] = {
    {"waiting", JobRole::Ready, nullptr},     {"active", JobRole::Processing, "processing"},
    {"delayed", JobRole::Delayed, "delayed"}, {"staged", JobRole::Delayed, "stage"},
    {"failed", JobRole::Dead, "failed"},      {"completed", JobRole::Done, "completed"},
};

enum Field : size_t {
    Group,
    Timestamp,
    ProcessedOn,
    FinishedOn,
    Attempts,
    MostAttempts,
    FailedReason,
    DelayUntil,
    RunAt,
    FieldCount
};
constexpr const char* groupmqJobsFieldNames[FieldCount] = {
    "groupId",     "timestamp",    "processedOn", "finishedOn", "attempts",
    "maxAttempts", "failedReason", "delayUntil",  "runAt"};
constexpr const char* groupmqJobsLightFields[] = {"status", "seq", "orderMs", "stalledCount",
                                                  "failedName"};
constexpr const char* heavyFields[] = {"data", "stacktrace", "returnvalue"};

} // namespace

QByteArray groupJobKey(const QByteArray& stem, const QByteArray& id)
{
    return stem + ":job:" + id;
}

std::span<const GroupState, groupStateCount> groupStates()
{
    return groupmqJobsStates;
}

const GroupState* groupState(const QByteArray& name)
{
    const auto* state = std::find_if(std::begin(groupmqJobsStates), std::end(groupmqJobsStates),
                                     [&](const GroupState& s) { return name == s.name; });
    return state == std::end(groupmqJobsStates) ? nullptr : state;
}

Command groupJobRead(const QByteArray& stem, const QByteArray& id)
{
    Command command{"HMGET", groupJobKey(stem, id)};
    for (const char* field : groupmqJobsFieldNames)
        command << field;
    return command;
}

JobFacts groupJobOf(const QByteArray& id, const Reply& fields)
{
    JobFacts job;
    job.id = id;
    job.name = fieldText(fields, Group).left(128);
    job.enqueuedMs = timeMs(fieldText(fields, Timestamp));
    job.startedMs = timeMs(fieldText(fields, ProcessedOn));
    job.finishedMs = timeMs(fieldText(fields, FinishedOn));
    job.dueMs = timeMs(fieldText(fields, RunAt)); // set for a retry
    if (!job.dueMs)
        job.dueMs = timeMs(fieldText(fields, DelayUntil));
    job.attempts = wholeNumber(fieldText(fields, Attempts));
    job.mostAttempts = wholeNumber(fieldText(fields, MostAttempts));
    job.error = firstLine(fieldText(fields, FailedReason));
    return job;
}

namespace {

// Waiting jobs are listed group by group. Groups also contain delayed jobs. So a page near the
// beginning is read from the beginning on, to skip those. A page beyond mostIds is shorter by the
// delayed jobs in it.
Read<std::vector<QByteArray>> readWaiting(QByteArray stem, JobQuery query)
{
    const std::vector<QByteArray> groups =
        co_await readSetPage(stem + ":groups", JobQuery{{}, 0, groupsRead});
    std::vector<Command> sizes{
        Command{"ZRANGE", stem + ':' + groupDelayed, "0", QByteArray::number(mostIds - 1)}};
    for (const QByteArray& group : groups)
        sizes.push_back({"ZCARD", stem + ":g:" + group});
    const std::vector<Reply> counted = co_await ask(std::move(sizes));
    QSet<QByteArray> later;
    for (const Reply& id : counted[0].items)
        later.insert(id.text);
    const bool whole = query.offset + query.limit + later.size() <= mostIds;
    const qint64 begins = whole ? 0 : query.offset;
    const qint64 ends = query.offset + query.limit + (whole ? later.size() : 0);
    std::vector<Command> pages;
    qint64 before = 0;
    for (size_t i = 0; i < groups.size(); ++i) {
        const qint64 size = countOf(counted[1 + i]);
        const qint64 from = std::max<qint64>(0, begins - before);
        const qint64 to = std::min(size, ends - before);
        before += size;
        if (from < to)
            pages.push_back({"ZRANGE", stem + ":g:" + groups[i], QByteArray::number(from),
                             QByteArray::number(to - 1)});
    }
    std::vector<QByteArray> ids;
    qint64 place = begins;
    for (const Reply& page : co_await ask(std::move(pages))) {
        for (const Reply& id : page.items) {
            if (later.contains(id.text))
                continue;
            if (place >= query.offset && place < query.offset + query.limit)
                ids.push_back(id.text);
            ++place;
        }
    }
    co_return ids;
}

Read<std::vector<QByteArray>> readSorted(QByteArray key, JobQuery query, bool newest)
{
    const std::vector<Command> page(1, sortedPage(key, query, newest));
    const std::vector<Reply> replies = co_await ask(page);
    co_return membersOf(page[0], replies[0]);
}

} // namespace

Read<std::vector<StoredJob>> readGroupJobs(QByteArray stem, const GroupState& state, JobQuery query)
{
    const bool newest = state.role == JobRole::Dead || state.role == JobRole::Done;
    const QByteArray key = stem + ':' + (state.key ? state.key : "groups");
    Read<std::vector<QByteArray>> listing =
        state.key ? readSorted(key, query, newest) : readWaiting(stem, query);
    const std::vector<QByteArray> ids = co_await listing;
    std::vector<Command> commands;
    for (const QByteArray& id : ids) {
        commands.push_back(groupJobRead(stem, id));
        commands.push_back({"HSTRLEN", groupJobKey(stem, id), "data"});
    }
    const std::vector<Reply> replies = co_await ask(std::move(commands));
    std::vector<StoredJob> found;
    for (size_t i = 0; i < ids.size(); ++i) {
        StoredJob stored{key, {}};
        stored.facts = groupJobOf(ids[i], replies[2 * i]);
        if (state.role != JobRole::Delayed)
            stored.facts.dueMs.reset();
        stored.size = countOf(replies[2 * i + 1]);
        found.push_back(std::move(stored));
    }
    co_return found;
}

Read<JobDetail> readGroupJob(QByteArray stem, QByteArray id)
{
    JobDetail detail;
    const std::vector<Command> facts(1, groupJobRead(stem, id));
    const std::vector<Reply> replies = co_await ask(facts);
    if (fieldText(replies[0], Group).isEmpty()) {
        detail.problem = Error{ErrorCode::NotFound, {}};
        co_return detail;
    }
    HashFields fields =
        co_await readHashFields(groupJobKey(stem, id), groupmqJobsLightFields, heavyFields);
    detail.facts = groupJobOf(id, replies[0]);
    detail.fields = std::move(fields.light);
    detail.payload = fields.heavy[0];
    detail.payloadCut = fields.sizes[0] > largestHeavyField;
    detail.stack = fields.heavy[1];
    detail.result = fields.heavy[2];
    co_return detail;
}

} // namespace lk
