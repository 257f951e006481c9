// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/layouts/queues/reliablejobs.h"

#include "backend/layouts/replyvalues.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 mostJobs = 50;                // of one key
constexpr qint64 fewJobs = 10;                 // where the server does not tell what they weigh
constexpr qint64 mostBytes = 256 * 1024;       // of one state, about
constexpr qint64 largestJob = 4 * 1024 * 1024; // above this not even one is read
constexpr size_t mostKeys = 16;
constexpr size_t weighing = 2; // commands a key, before its jobs

constexpr std::pair<const char*, JobRole> states[] = {{"waiting", JobRole::Ready},
                                                      {"in-progress", JobRole::Processing},
                                                      {"delayed", JobRole::Delayed},
                                                      {"dead-lettered", JobRole::Dead}};

QByteArray roleOf(const QByteArray& state)
{
    for (const auto& [name, role] : states) {
        if (state == name)
            return jobRoleId(role);
    }
    return {};
}

std::vector<QByteArray> keysOf(const Primitive& primitive, const QByteArray& role)
{
    std::vector<QByteArray> keys;
    for (const KeyRole& key : primitive.keys) {
        if (key.role == role && !key.key.isEmpty() && keys.size() < mostKeys)
            keys.push_back(key.key);
    }
    return keys;
}

qint64 wanted(qint64 count, const Reply& weight, size_t keys)
{
    if (!weight.isInteger())
        return fewJobs;
    const qint64 each = weight.integer / std::max<qint64>(count, 1);
    if (each > largestJob)
        return 0;
    return std::clamp<qint64>(mostBytes / qint64(keys) / std::max<qint64>(each, 1), 1, mostJobs);
}

Command readOf(const QByteArray& key, bool delayed, qint64 jobs)
{
    // An empty range rather than no command: replies are found by their place.
    const bool none = jobs <= 0;
    if (delayed)
        return {"ZRANGE", key, none ? "1" : "0", none ? "0" : QByteArray::number(jobs - 1),
                "WITHSCORES"};
    return {"LRANGE", key, none ? "-1" : QByteArray::number(-jobs), none ? "-2" : "-1"};
}

std::optional<qint64> dueOf(const QByteArray& score)
{
    const auto value = scoreOf(score);
    const auto unit = value ? timeUnitOf(*value) : std::nullopt;
    return unit ? std::optional(wholeMs(toMs(*value, *unit))) : std::nullopt;
}

} // namespace

std::vector<JobState> reliableJobStates(const QueueState& queue)
{
    const std::optional<qint64> counts[] = {queue.ready, queue.processing, queue.delayed,
                                            queue.dead};
    std::vector<JobState> all;
    for (size_t i = 0; i < std::size(states); ++i)
        all.push_back({states[i].first, states[i].second, counts[i]});
    return all;
}

std::vector<Command> reliableJobReads(const Primitive& primitive, const JobQuery& query,
                                      std::span<const Reply> replies)
{
    const QByteArray role = roleOf(query.state);
    const bool delayed = role == "delayed";
    const std::vector<QByteArray> keys = keysOf(primitive, role);
    std::vector<Command> commands;
    if (replies.empty()) {
        for (const QByteArray& key : keys) {
            commands.push_back({delayed ? "ZCARD" : "LLEN", key});
            commands.push_back({"MEMORY", "USAGE", key, "SAMPLES", "5"});
        }
    } else if (replies.size() == keys.size() * weighing) {
        for (size_t i = 0; i < keys.size(); ++i)
            commands.push_back(readOf(
                keys[i], delayed,
                wanted(countOf(replies[weighing * i]), replies[weighing * i + 1], keys.size())));
    }
    return commands;
}

std::vector<StoredJob> reliableJobs(const Primitive& primitive, const JobQuery& query,
                                    std::span<const Reply> replies)
{
    const QByteArray role = roleOf(query.state);
    const std::vector<QByteArray> keys = keysOf(primitive, role);
    std::vector<StoredJob> jobs;
    for (size_t i = 0; i < keys.size() && keys.size() * weighing + i < replies.size(); ++i) {
        const std::vector<Reply>& items = replies[keys.size() * weighing + i].items;
        if (role == "delayed") {
            for (size_t at = 0; at + 1 < items.size(); at += 2) {
                StoredJob job{keys[i], items[at].text};
                job.facts.dueMs = dueOf(items[at + 1].text);
                jobs.push_back(std::move(job));
            }
            continue;
        }
        for (auto item = items.rbegin(); item != items.rend(); ++item)
            jobs.push_back({keys[i], item->text});
    }
    return jobs;
}

} // namespace lk
