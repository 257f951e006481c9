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
constexpr qint64 groupmqJobsMostDetailBytes = 1024 * 1024;

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

// Waiting jobs are listed group by group. The reads are: the groups, the delayed jobs, the size of
// each group, then the ids in the groups of the page. For the other states a page of their own set
// is read. The jobs follow. Groups also contain delayed jobs. So a page near the beginning is read
// from the beginning on, to skip those. A page beyond mostIds is shorter by the delayed jobs in it.
struct GroupmqJobPlaces
{
    std::vector<Command> wanted; ///< the commands that are still needed to read the ids
    std::vector<QByteArray> ids;
    size_t first = 0; ///< the position of the first job in the replies
};

GroupmqJobPlaces placesOf(const QByteArray& stem, const GroupState& state, const JobQuery& query,
                          std::span<const Reply> replies)
{
    GroupmqJobPlaces places;
    if (state.key) {
        const bool newest = state.role == JobRole::Dead || state.role == JobRole::Done;
        const Command page = sortedPage(stem + ':' + state.key, query, newest);
        places.first = 1;
        if (replies.empty())
            places.wanted = {page};
        else
            places.ids = membersOf(page, replies[0]);
        return places;
    }
    const SetPage set(replies);
    if (set.count() == 0) {
        places.wanted = {SetPage::firstRead(stem + ":groups")};
        return places;
    }
    std::vector<QByteArray> groups = set.ids();
    groups.resize(std::min<size_t>(groups.size(), size_t(groupsRead)));
    const size_t counts = set.count() + 1;
    if (replies.size() < counts) {
        places.wanted.push_back(
            {"ZRANGE", stem + ':' + groupDelayed, "0", QByteArray::number(mostIds - 1)});
        for (const QByteArray& group : groups)
            places.wanted.push_back({"ZCARD", stem + ":g:" + group});
        places.first = set.count();
        return places;
    }
    QSet<QByteArray> later;
    for (const Reply& id : replies[set.count()].items)
        later.insert(id.text);
    const bool whole = query.offset + query.limit + later.size() <= mostIds;
    const qint64 begins = whole ? 0 : query.offset;
    const qint64 ends = query.offset + query.limit + (whole ? later.size() : 0);
    std::vector<Command> pages;
    qint64 before = 0;
    for (size_t i = 0; i < groups.size() && counts + i < replies.size(); ++i) {
        const qint64 size = countOf(replies[counts + i]);
        const qint64 from = std::max<qint64>(0, begins - before);
        const qint64 to = std::min(size, ends - before);
        before += size;
        if (from < to)
            pages.push_back({"ZRANGE", stem + ":g:" + groups[i], QByteArray::number(from),
                             QByteArray::number(to - 1)});
    }
    const size_t idsAt = counts + groups.size();
    places.first = idsAt + pages.size();
    if (replies.size() == idsAt) {
        places.wanted = pages;
        return places;
    }
    qint64 place = begins;
    for (size_t i = 0; i < pages.size() && idsAt + i < replies.size(); ++i) {
        for (const Reply& id : replies[idsAt + i].items) {
            if (later.contains(id.text))
                continue;
            if (place >= query.offset && place < query.offset + query.limit)
                places.ids.push_back(id.text);
            ++place;
        }
    }
    return places;
}

} // namespace

std::vector<Command> groupJobReads(const QByteArray& stem, const GroupState& state,
                                   const JobQuery& query, std::span<const Reply> replies)
{
    const GroupmqJobPlaces places = placesOf(stem, state, query, replies);
    if (!places.wanted.empty() || replies.size() != places.first)
        return places.wanted;
    std::vector<Command> commands;
    for (const QByteArray& jobId : places.ids) {
        commands.push_back(groupJobRead(stem, jobId));
        commands.push_back({"HSTRLEN", groupJobKey(stem, jobId), "data"});
    }
    return commands;
}

std::vector<StoredJob> groupJobs(const QByteArray& stem, const GroupState& state,
                                 const JobQuery& query, std::span<const Reply> replies)
{
    std::vector<StoredJob> found;
    if (replies.empty())
        return found;
    const GroupmqJobPlaces places = placesOf(stem, state, query, replies);
    for (size_t i = 0; i < places.ids.size(); ++i) {
        const size_t at = places.first + 2 * i;
        if (!places.wanted.empty() || at + 1 >= replies.size())
            break;
        StoredJob stored{stem + ':' + (state.key ? state.key : "groups"), {}};
        stored.facts = groupJobOf(places.ids[i], replies[at]);
        if (state.role != JobRole::Delayed)
            stored.facts.dueMs.reset();
        stored.size = countOf(replies[at + 1]);
        found.push_back(std::move(stored));
    }
    return found;
}

std::vector<Command> groupJobDetailReads(const QByteArray& stem, const QByteArray& id,
                                         std::span<const Reply> replies)
{
    const QByteArray key = groupJobKey(stem, id);
    if (replies.empty()) {
        Command light{"HMGET", key};
        for (const char* field : groupmqJobsLightFields)
            light << field;
        std::vector<Command> commands{groupJobRead(stem, id), light};
        for (const char* field : heavyFields)
            commands.push_back({"HSTRLEN", key, field});
        return commands;
    }
    if (replies.size() != 2 + std::size(heavyFields))
        return {};
    Command heavy{"HMGET", key};
    for (size_t i = 0; i < std::size(heavyFields); ++i)
        heavy << (countOf(replies[2 + i]) <= groupmqJobsMostDetailBytes ? heavyFields[i] : "");
    return {heavy};
}

JobDetail groupJobDetail(const QByteArray& id, std::span<const Reply> replies)
{
    JobDetail detail;
    const size_t heavy = 2 + std::size(heavyFields);
    if (replies.size() <= heavy || fieldText(replies[0], Group).isEmpty()) {
        detail.problem = Error{ErrorCode::NotFound, {}};
        return detail;
    }
    detail.facts = groupJobOf(id, replies[0]);
    for (size_t i = 0; i < std::size(groupmqJobsLightFields); ++i) {
        if (const QByteArray value = fieldText(replies[1], i); !value.isEmpty())
            detail.fields.emplace_back(groupmqJobsLightFields[i], value);
    }
    detail.payload = fieldText(replies[heavy], 0);
    detail.payloadCut = countOf(replies[2]) > groupmqJobsMostDetailBytes;
    detail.stack = fieldText(replies[heavy], 1);
    detail.result = fieldText(replies[heavy], 2);
    return detail;
}

} // namespace lk
