// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/catalogue/kue/kuejobs.h"

#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/jobs/jobqueue.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 kueJobsMostDetailBytes = 1024 * 1024;

constexpr KueState kueJobsStates[kueStateCount] = {
    {"inactive", JobRole::Ready, false},  {"active", JobRole::Processing, false},
    {"delayed", JobRole::Delayed, false}, {"failed", JobRole::Dead, true},
    {"complete", JobRole::Done, true},
};

enum Field : size_t {
    Type,
    Created,
    Promote,
    Started,
    Failed,
    Updated,
    WorkerId,
    Attempts,
    MostAttempts,
    Progress,
    ErrorText,
    FieldCount
};
constexpr const char* kueJobsFieldNames[FieldCount] = {
    "type",     "created_at", "promote_at",   "started_at", "failed_at", "updated_at",
    "workerId", "attempts",   "max_attempts", "progress",   "error"};
constexpr const char* kueJobsLightFields[] = {"state",    "priority",         "delay",  "ttl",
                                              "duration", "removeOnComplete", "backoff"};

} // namespace

QByteArray kueJobKey(const QByteArray& prefix, const QByteArray& id)
{
    return prefix + ":job:" + id;
}

std::span<const KueState, kueStateCount> kueStates()
{
    return kueJobsStates;
}

const KueState* kueState(const QByteArray& name)
{
    const auto* state = std::find_if(std::begin(kueJobsStates), std::end(kueJobsStates),
                                     [&](const KueState& s) { return name == s.name; });
    return state == std::end(kueJobsStates) ? nullptr : state;
}

QByteArray kueIdOf(const QByteArray& member)
{
    if (member.size() < 4 || member[2] != '|')
        return {};
    const QByteArray id = member.mid(3);
    bool fine = false;
    const bool fits =
        member.left(2).toInt(&fine) == id.size() && fine &&
        std::all_of(id.begin(), id.end(), [](char c) { return c >= '0' && c <= '9'; });
    return fits ? id : QByteArray();
}

QByteArray kuePrefixOf(const QByteArray& queue)
{
    return queue.left(queue.lastIndexOf(":jobs:"));
}

Command kueJobRead(const QByteArray& prefix, const QByteArray& id)
{
    Command command{"HMGET", kueJobKey(prefix, id)};
    for (const char* field : kueJobsFieldNames)
        command << field;
    return command;
}

JobFacts kueJobOf(const QByteArray& id, const Reply& fields, const KueState& state)
{
    JobFacts job;
    job.id = id;
    job.name = fieldText(fields, Type).left(128);
    job.enqueuedMs = timeMs(fieldText(fields, Created));
    job.attempts = wholeNumber(fieldText(fields, Attempts)).value_or(0);
    job.mostAttempts = wholeNumber(fieldText(fields, MostAttempts));
    job.progress = fieldText(fields, Progress).left(64);
    job.error = firstLine(fieldText(fields, ErrorText));
    if (state.role != JobRole::Ready && state.role != JobRole::Delayed) {
        job.startedMs = timeMs(fieldText(fields, Started));
        job.worker = fieldText(fields, WorkerId);
    }
    if (state.role == JobRole::Dead)
        job.finishedMs = timeMs(fieldText(fields, Failed));
    if (state.role == JobRole::Done)
        job.finishedMs = timeMs(fieldText(fields, Updated));
    if (state.role == JobRole::Delayed)
        job.dueMs = timeMs(fieldText(fields, Promote));
    return job;
}

std::vector<Command> kueJobReads(const QByteArray& queue, const KueState& state,
                                 const JobQuery& query, std::span<const Reply> replies)
{
    if (replies.size() > 1)
        return {};
    if (replies.empty())
        return {sortedPage(queue + ':' + state.name, query, state.newestFirst)};
    const QByteArray prefix = kuePrefixOf(queue);
    std::vector<Command> commands;
    for (const ScoredMember& member : scoredMembersOf(replies[0])) {
        const QByteArray jobId = kueIdOf(member.member);
        commands.push_back(kueJobRead(prefix, jobId));
        commands.push_back({"HSTRLEN", kueJobKey(prefix, jobId), "data"});
    }
    return commands;
}

std::vector<StoredJob> kueJobs(const QByteArray& queue, const KueState& state,
                               std::span<const Reply> replies)
{
    std::vector<StoredJob> found;
    if (replies.empty())
        return found;
    size_t next = 1;
    for (const ScoredMember& member : scoredMembersOf(replies[0])) {
        if (next + 1 >= replies.size())
            break;
        StoredJob stored{queue + ':' + state.name, {}};
        stored.facts = kueJobOf(kueIdOf(member.member), replies[next], state);
        stored.size = countOf(replies[next + 1]);
        found.push_back(std::move(stored));
        next += 2;
    }
    return found;
}

std::vector<Command> kueJobDetailReads(const QByteArray& queue, const QByteArray& id,
                                       std::span<const Reply> replies)
{
    const QByteArray prefix = kuePrefixOf(queue);
    const QByteArray key = kueJobKey(prefix, id);
    if (replies.empty()) {
        Command light{"HMGET", key};
        for (const char* field : kueJobsLightFields)
            light << field;
        return {{"HSTRLEN", key, "data"},
                {"HSTRLEN", key, "error"},
                {"HSTRLEN", key, "result"},
                kueJobRead(prefix, id),
                light};
    }
    if (replies.size() != 5)
        return {};
    Command heavy{"HMGET", key};
    const char* fields[] = {"data", "error", "result"};
    for (size_t i = 0; i < std::size(fields); ++i)
        heavy << (countOf(replies[i]) <= kueJobsMostDetailBytes ? fields[i] : "");
    return {heavy};
}

JobDetail kueJobDetail(const KueState& state, const QByteArray& id, std::span<const Reply> replies)
{
    JobDetail detail;
    if (replies.size() < 6 || fieldText(replies[3], Type).isEmpty()) {
        detail.problem = Error{ErrorCode::NotFound, {}};
        return detail;
    }
    detail.facts = kueJobOf(id, replies[3], state);
    for (size_t i = 0; i < std::size(kueJobsLightFields); ++i) {
        if (const QByteArray value = fieldText(replies[4], i); !value.isEmpty())
            detail.fields.emplace_back(kueJobsLightFields[i], value);
    }
    detail.payload = fieldText(replies[5], 0);
    detail.payloadCut = countOf(replies[0]) > kueJobsMostDetailBytes;
    detail.stack = fieldText(replies[5], 1);
    detail.result = fieldText(replies[5], 2);
    return detail;
}

} // namespace lk
