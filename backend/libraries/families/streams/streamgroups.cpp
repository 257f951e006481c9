// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/streams/streamgroups.h"

#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/jobtexts.h"

#include <QJsonDocument>

#include <algorithm>

namespace lk {

namespace {

constexpr qsizetype nameBytes = 128;

// The content of PHP's serialized string: s:294:"...";
QByteArray unserialized(const QByteArray& text)
{
    const qsizetype quote = text.indexOf('"');
    if (!text.startsWith("s:") || quote < 0 || !text.endsWith("\";"))
        return text;
    return text.mid(quote + 1, text.size() - quote - 3);
}

// The class of the message in a serialized envelope: ...message";O:8:"Greeting"...
QByteArray messageClassIn(const QByteArray& body)
{
    QByteArray plain = body;
    plain.replace("\\\"", "\"");
    const qsizetype message = plain.indexOf("message\";O:");
    const qsizetype start = message < 0 ? -1 : plain.indexOf('"', message + 10);
    const qsizetype end = start < 0 ? -1 : plain.indexOf('"', start + 1);
    return end < 0 ? QByteArray() : plain.mid(start + 1, end - start - 1).replace("\\\\", "\\");
}

struct StateName
{
    QByteArray state; ///< "waiting", "pending", "delayed"
    QByteArray group; ///< empty if it is the only one
};
StateName stateOf(const QByteArray& name)
{
    const qsizetype colon = name.indexOf(": ");
    return colon < 0 ? StateName{name, {}} : StateName{name.left(colon), name.mid(colon + 2)};
}

const StreamGroup* findGroup(const std::vector<StreamGroup>& groups, const QByteArray& name)
{
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const StreamGroup& g) {
        return name.isEmpty() || g.name == name;
    });
    return group == groups.end() ? nullptr : &*group;
}

Read<std::vector<StoredJob>> readDelayed(QByteArray key, JobQuery query)
{
    const std::vector<Command> page(1, sortedPage(key, query, false));
    const std::vector<Reply> replies = co_await ask(page);
    std::vector<StoredJob> jobs;
    for (const ScoredMember& member : scoredMembersOf(replies[0])) {
        StoredJob job{key, member.member, messengerJobOf(member.member).value_or(JobFacts())};
        job.facts.dueMs = timeMs(QByteArray::number(qint64(member.score)));
        jobs.push_back(std::move(job));
    }
    co_return jobs;
}

Read<std::vector<StoredJob>> readWaiting(QByteArray key, StreamGroup group, JobQuery query)
{
    const std::vector<Command> range{{"XRANGE", key, nextStreamId(group.lastDelivered), "+",
                                      "COUNT", QByteArray::number(query.offset + query.limit)}};
    const std::vector<Reply> replies = co_await ask(range);
    std::vector<StoredJob> jobs;
    for (const Reply& entry : replies[0].items)
        jobs.push_back(streamJobOf(key, entry));
    cutToPage(jobs, query);
    co_return jobs;
}

Read<std::vector<StoredJob>> readPending(QByteArray key, StreamGroup group, JobQuery query)
{
    const std::vector<Command> pending{
        {"XPENDING", key, group.name, "-", "+", QByteArray::number(query.offset + query.limit)}};
    const std::vector<Reply> replies = co_await ask(pending);
    std::vector<PendingEntry> entries = pendingOf(replies[0]);
    cutToPage(entries, query);
    std::vector<Command> ranges;
    for (const PendingEntry& entry : entries)
        ranges.push_back({"XRANGE", key, entry.id, entry.id});
    const std::vector<Reply> read = co_await ask(std::move(ranges));
    std::vector<StoredJob> jobs;
    for (size_t i = 0; i < entries.size(); ++i) {
        StoredJob job{key, {}};
        if (!read[i].items.empty())
            job = streamJobOf(key, read[i].items.front());
        job.facts.id = entries[i].id;
        job.facts.worker = entries[i].consumer;
        job.facts.attempts = entries[i].deliveries;
        jobs.push_back(std::move(job));
    }
    co_return jobs;
}

Read<std::vector<StoredJob>> readJobsOf(StateName name, QByteArray key, JobQuery query)
{
    std::vector<StoredJob> jobs;
    if (name.state == "delayed") {
        jobs = co_await readDelayed(key + "__queue", query);
        co_return jobs;
    }
    if (name.state != "waiting" && name.state != "pending")
        co_return jobs;
    const std::vector<Command> info{{"XINFO", "GROUPS", key}};
    const std::vector<Reply> replies = co_await ask(info);
    const std::vector<StreamGroup> groups = streamGroupsOf(replies[0]);
    if (const StreamGroup* group = findGroup(groups, name.group)) {
        Read<std::vector<StoredJob>> read = name.state == "waiting"
                                                ? readWaiting(key, *group, query)
                                                : readPending(key, *group, query);
        jobs = co_await read;
    }
    co_return jobs;
}

} // namespace

const Reply* namedValue(const Reply& pairs, const char* name)
{
    for (size_t i = 0; i + 1 < pairs.items.size(); i += 2) {
        if (pairs.items[i].text == name)
            return &pairs.items[i + 1];
    }
    return nullptr;
}

std::vector<StreamGroup> streamGroupsOf(const Reply& reply)
{
    std::vector<StreamGroup> groups;
    for (const Reply& item : reply.items) {
        StreamGroup group;
        if (const Reply* name = namedValue(item, "name"))
            group.name = name->text;
        if (const Reply* consumers = namedValue(item, "consumers"))
            group.consumers = countOf(*consumers);
        if (const Reply* pending = namedValue(item, "pending"))
            group.pending = countOf(*pending);
        if (const Reply* last = namedValue(item, "last-delivered-id"))
            group.lastDelivered = last->text;
        if (const Reply* lag = namedValue(item, "lag"); lag && lag->isInteger())
            group.lag = countOf(*lag);
        if (!group.name.isEmpty())
            groups.push_back(std::move(group));
    }
    return groups;
}

std::optional<qint64> streamIdMs(const QByteArray& id)
{
    return timeMs(id.left(id.indexOf('-')));
}

QByteArray nextStreamId(const QByteArray& id)
{
    const qsizetype dash = id.indexOf('-');
    const auto number = dash < 0 ? std::nullopt : wholeNumber(id.mid(dash + 1));
    return number ? id.left(dash + 1) + QByteArray::number(*number + 1) : QByteArray("0-1");
}

QByteArray groupState(const char* state, const QByteArray& group, size_t groups)
{
    return groups == 1 ? QByteArray(state) : QByteArray(state) + ": " + group;
}

std::optional<JobFacts> messengerJobOf(const QByteArray& json)
{
    const QJsonObject message = jsonObject(unserialized(json));
    if (!message.contains(QLatin1String("body")) || !message.contains(QLatin1String("headers")))
        return std::nullopt;
    JobFacts job;
    job.name = jsonText(message.value(QLatin1String("headers")).toObject(), "type").left(nameBytes);
    if (job.name.isEmpty())
        job.name = messageClassIn(jsonText(message, "body")).left(nameBytes);
    return job;
}

StoredJob streamJobOf(const QByteArray& key, const Reply& entry)
{
    StoredJob job{key, {}};
    if (entry.items.size() < 2)
        return job;
    job.facts.id = entry.items[0].text;
    const std::vector<Reply>& fields = entry.items[1].items;
    if (fields.size() == 2) {
        job.payload = unserialized(fields[1].text);
        if (const std::optional<JobFacts> facts = messengerJobOf(fields[1].text))
            job.facts.name = facts->name;
    } else {
        for (size_t i = 0; i + 1 < fields.size(); i += 2) {
            job.payload += fields[i].text + ": " + fields[i + 1].text + '\n';
            // If one of its fields names its type.
            if (fields[i].text == "type" || fields[i].text == "name" || fields[i].text == "event")
                job.facts.name = fields[i + 1].text.left(nameBytes);
        }
    }
    job.facts.enqueuedMs = streamIdMs(job.facts.id);
    return job;
}

std::vector<PendingEntry> pendingOf(const Reply& reply)
{
    std::vector<PendingEntry> entries;
    for (const Reply& item : reply.items) {
        if (item.items.size() < 4)
            continue;
        entries.push_back({item.items[0].text, item.items[1].text, countOf(item.items[2]),
                           countOf(item.items[3])});
    }
    return entries;
}

Read<std::vector<StoredJob>> readStreamJobs(QByteArray key, JobQuery query)
{
    StateName name = stateOf(query.state);
    return readJobsOf(std::move(name), std::move(key), std::move(query));
}

} // namespace lk
