// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/jobs/jobqueue.h"

#include "backend/libraries/detect/replyvalues.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qsizetype errorBytes = 256;

std::optional<qint64> sumOf(const QueueState& queue, JobRole role)
{
    std::optional<qint64> sum = 0;
    for (const JobState& state : queue.states) {
        if (state.role != role)
            continue;
        sum = sum && state.count ? std::optional(*sum + *state.count) : std::nullopt;
    }
    return sum;
}

} // namespace

void sumStates(QueueState& queue)
{
    queue.ready = sumOf(queue, JobRole::Ready);
    queue.processing = sumOf(queue, JobRole::Processing);
    queue.delayed = sumOf(queue, JobRole::Delayed);
    queue.dead = sumOf(queue, JobRole::Dead);
}

std::optional<qint64> countOfState(const QueueState& queue, const QByteArray& name)
{
    const auto state = std::find_if(queue.states.begin(), queue.states.end(),
                                    [&](const JobState& s) { return s.name == name; });
    return state == queue.states.end() ? std::nullopt : state->count;
}

void finalizeQueue(State& state, QueueState queue, qint64 nowMs, qint64 itemsBytes)
{
    sumStates(queue);
    const qint64 dead = queue.dead.value_or(0);
    const qint64 all =
        queue.ready.value_or(0) + queue.processing.value_or(0) + queue.delayed.value_or(0) + dead;
    const bool nobody = std::all_of(queue.workers.begin(), queue.workers.end(),
                                    [](const QueueWorker& w) { return w.alive == false; });
    const bool unserved = queue.workersKnown && nobody && queue.ready.value_or(0) > 0;
    state.health = queue.stuck > 0                        ? Health::Error
                   : dead > 0 || queue.paused || unserved ? Health::Warning
                   : all > 0                              ? Health::Ok
                                                          : Health::Idle;
    state.urgency = double(queue.stuck) * 1e6 + double(dead) * 1000 + double(all);
    queue.itemsTruncated = qint64(queue.items.size()) < queue.processing.value_or(0);
    state.payloads.edit().asOfMs = nowMs;
    state.payloads.edit().bytes = itemsBytes;
    state.body = std::move(queue);
}

std::vector<FailureGroup> groupsOf(const std::vector<JobFacts>& failed)
{
    std::vector<FailureGroup> groups;
    for (const JobFacts& job : failed) {
        auto group = std::find_if(groups.begin(), groups.end(), [&](const FailureGroup& g) {
            return g.error == job.error && g.name == job.name;
        });
        if (group == groups.end())
            group = groups.insert(groups.end(), {job.error, job.name, 0, std::nullopt});
        ++group->count;
        if (job.finishedMs)
            group->lastMs = std::max(group->lastMs.value_or(0), *job.finishedMs);
    }
    std::stable_sort(
        groups.begin(), groups.end(),
        [](const FailureGroup& a, const FailureGroup& b) { return a.count > b.count; });
    return groups;
}

QByteArray firstLine(const QByteArray& text)
{
    const qsizetype end = text.indexOf('\n');
    return text.left(std::min(end < 0 ? text.size() : end, errorBytes));
}

std::optional<qint64> timeMs(const QByteArray& text)
{
    const std::optional<double> number = decimalNumber(text);
    const auto unit = number ? timeUnitOf(*number) : std::nullopt;
    return unit ? std::optional(wholeMs(toMs(*number, *unit))) : std::nullopt;
}

QByteArray fieldText(const Reply& hmget, size_t index)
{
    return index < hmget.items.size() && hmget.items[index].isText() ? hmget.items[index].text
                                                                     : QByteArray();
}

Read<HashFields> readHashFields(QByteArray key, std::span<const char* const> light,
                                std::span<const char* const> heavy)
{
    Command lightFields{"HMGET", key};
    for (const char* field : light)
        lightFields << field;
    std::vector<Command> first{std::move(lightFields)};
    for (const char* field : heavy)
        first.push_back({"HSTRLEN", key, field});
    const std::vector<Reply> replies = co_await ask(std::move(first));
    HashFields fields;
    for (size_t i = 0; i < light.size(); ++i) {
        if (QByteArray value = fieldText(replies[0], i); !value.isEmpty())
            fields.light.emplace_back(light[i], std::move(value));
    }
    // A field that is too large is read as a field that no job has.
    Command heavyFields{"HMGET", key};
    for (size_t i = 0; i < heavy.size(); ++i) {
        fields.sizes.push_back(countOf(replies[1 + i]));
        heavyFields << (fields.sizes.back() <= largestHeavyField ? heavy[i] : "");
    }
    const std::vector<Command> second(1, std::move(heavyFields));
    const std::vector<Reply> values = co_await ask(second);
    for (size_t i = 0; i < heavy.size(); ++i)
        fields.heavy.push_back(fieldText(values[0], i));
    co_return fields;
}

Command listPageFromRight(const QByteArray& key, const JobQuery& query)
{
    return {"LRANGE", key, QByteArray::number(-(query.offset + query.limit)),
            QByteArray::number(-(query.offset + 1))};
}

Command listPageFromLeft(const QByteArray& key, const JobQuery& query)
{
    return {"LRANGE", key, QByteArray::number(query.offset),
            QByteArray::number(query.offset + query.limit - 1)};
}

Command sortedPage(const QByteArray& key, const JobQuery& query, bool falling)
{
    return {falling ? "ZREVRANGE" : "ZRANGE", key, QByteArray::number(query.offset),
            QByteArray::number(query.offset + query.limit - 1), "WITHSCORES"};
}

std::vector<QByteArray> membersOf(const Command& page, const Reply& reply)
{
    const bool list = page.args().front() == "LRANGE";
    std::vector<QByteArray> members;
    for (size_t i = 0; i < reply.items.size(); i += list ? 1 : 2)
        members.push_back(reply.items[i].text);
    if (list && page.args()[2].startsWith('-'))
        std::reverse(members.begin(), members.end());
    return members;
}

} // namespace lk
