// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/lists/listedjobs.h"

#include "backend/libraries/detect/replyvalues.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 reliableJobsMostJobs = 500; // per page
constexpr qint64 fewJobs = 10;               // if the server does not report their size
constexpr qint64 mostBytes = 256 * 1024;     // about; of one key's jobs
constexpr qint64 reliableJobsLargestJob = 4 * 1024 * 1024; // above this not even one is read
constexpr size_t mostKeys = 16;
constexpr size_t weighing = 2; // commands per key, before its jobs

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

// A range of the jobs of one key.
struct Slice
{
    qint64 offset = 0;
    qint64 jobs = 0;
};

qint64 mostOf(qint64 count, const Reply& weight, qint64 limit)
{
    if (!weight.isInteger())
        return std::min(fewJobs, limit);
    const qint64 each = weight.integer / std::max<qint64>(count, 1);
    if (each > reliableJobsLargestJob)
        return 0;
    return std::clamp<qint64>(mostBytes / std::max<qint64>(each, 1), 1, limit);
}

// The page goes through the keys in order and ends at the first key whose jobs are too large, so
// that it has no gaps.
std::vector<Slice> slicesOf(const JobQuery& query, size_t keys, std::span<const Reply> replies)
{
    std::vector<Slice> slices;
    qint64 skip = query.offset;
    qint64 left = std::min(query.limit, reliableJobsMostJobs);
    for (size_t i = 0; i < keys; ++i) {
        const qint64 count = countOf(replies[weighing * i]);
        Slice slice{std::min(skip, count), 0};
        skip -= slice.offset;
        const qint64 wanted = std::min(left, count - slice.offset);
        if (wanted > 0)
            slice.jobs = std::min(wanted, mostOf(count, replies[weighing * i + 1], left));
        left = slice.jobs < wanted ? 0 : left - slice.jobs;
        slices.push_back(slice);
    }
    return slices;
}

Command readOf(const QByteArray& key, bool delayed, Slice slice)
{
    const qint64 end = slice.offset + slice.jobs;
    if (delayed)
        return {"ZRANGE", key, QByteArray::number(slice.offset), QByteArray::number(end - 1),
                "WITHSCORES"};
    return {"LRANGE", key, QByteArray::number(-end), QByteArray::number(-slice.offset - 1)};
}

std::optional<qint64> dueOf(const QByteArray& score)
{
    const auto value = scoreOf(score);
    const auto unit = value ? timeUnitOf(*value) : std::nullopt;
    return unit ? std::optional(wholeMs(toMs(*value, *unit))) : std::nullopt;
}

} // namespace

std::vector<JobState> listJobStates(const QueueState& queue)
{
    const std::optional<qint64> counts[] = {queue.ready, queue.processing, queue.delayed,
                                            queue.dead};
    std::vector<JobState> all;
    for (size_t i = 0; i < std::size(states); ++i)
        all.push_back({states[i].first, states[i].second, counts[i]});
    return all;
}

Read<std::vector<StoredJob>> readListJobs(const Primitive& primitive, JobQuery query)
{
    const QByteArray role = roleOf(query.state);
    const bool delayed = role == "delayed";
    const std::vector<QByteArray> keys = keysOf(primitive, role);
    std::vector<Command> weights;
    for (const QByteArray& key : keys) {
        weights.push_back({delayed ? "ZCARD" : "LLEN", key});
        weights.push_back({"MEMORY", "USAGE", key, "SAMPLES", "5"});
    }
    const std::vector<Reply> weighed = co_await ask(std::move(weights));
    const std::vector<Slice> slices = slicesOf(query, keys.size(), weighed);
    std::vector<Command> ranges;
    std::vector<QByteArray> read;
    for (size_t i = 0; i < keys.size(); ++i) {
        if (slices[i].jobs <= 0)
            continue;
        ranges.push_back(readOf(keys[i], delayed, slices[i]));
        read.push_back(keys[i]);
    }
    const std::vector<Reply> replies = co_await ask(std::move(ranges));
    std::vector<StoredJob> jobs;
    for (size_t i = 0; i < read.size(); ++i) {
        const std::vector<Reply>& items = replies[i].items;
        for (size_t at = 0; delayed && at + 1 < items.size(); at += 2) {
            StoredJob job{read[i], items[at].text};
            job.facts.dueMs = dueOf(items[at + 1].text);
            jobs.push_back(std::move(job));
        }
        for (auto item = items.rbegin(); !delayed && item != items.rend(); ++item)
            jobs.push_back({read[i], item->text});
    }
    co_return jobs;
}

} // namespace lk
