// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/jobs/keyedreading.h"

#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/jobsampling.h"
#include "backend/libraries/families/jobs/setpage.h"

#include <algorithm>
#include <limits>

namespace lk {

namespace {

using Shape = JobsKey::Shape;

constexpr qint64 polledBytes = 64 * 1024;       // of each key's jobs, for a state
constexpr qint64 listedBytes = 2 * 1024 * 1024; // of a page of jobs
constexpr qint64 detailBytes = 1024 * 1024;     // of one job
constexpr qint64 largestPolled = 32 * 1024;     // a job above this is not read for a state
constexpr qint64 sharedPolled = 200;            // jobs of a shared set for a state
constexpr qint64 sharedListed = 1000;           // the same for a page, and for several keys
constexpr size_t mostKeys = 256;                // with jobs of one queue

Command countCommand(const JobsKey& key)
{
    switch (key.shape) {
    case Shape::FromRight:
    case Shape::FromLeft:
        return {"LLEN", key.key};
    case Shape::Range:
        return {"ZCOUNT", key.key, key.min, key.max};
    case Shape::Set:
        return {"SCARD", key.key};
    case Shape::Sorted:
    case Shape::Newest:
        break;
    }
    return {"ZCARD", key.key};
}

Command pageCommand(const JobsKey& key, const JobQuery& query)
{
    switch (key.shape) {
    case Shape::FromRight:
        return listPageFromRight(key.key, query);
    case Shape::FromLeft:
        return listPageFromLeft(key.key, query);
    case Shape::Range:
        return {"ZRANGEBYSCORE",
                key.key,
                key.min,
                key.max,
                "WITHSCORES",
                "LIMIT",
                QByteArray::number(query.offset),
                QByteArray::number(query.limit)};
    case Shape::Set:
        return firstSetPage(key.key);
    case Shape::Sorted:
    case Shape::Newest:
        break;
    }
    return sortedPage(key.key, query, key.shape == Shape::Newest);
}

std::vector<std::pair<QByteArray, std::optional<double>>>
elementsOf(const JobsKey& key, const Command& page, const Reply& reply)
{
    std::vector<std::pair<QByteArray, std::optional<double>>> elements;
    if (key.shape == Shape::Set) {
        for (const QByteArray& member : scannedMembers(reply))
            elements.emplace_back(member, std::nullopt);
    } else if (key.shape == Shape::FromLeft || key.shape == Shape::FromRight) {
        for (QByteArray& member : membersOf(page, reply))
            elements.emplace_back(std::move(member), std::nullopt);
    } else {
        for (ScoredMember& member : scoredMembersOf(reply))
            elements.emplace_back(std::move(member.member), member.score);
    }
    return elements;
}

} // namespace

KeyedReading::KeyedReading(const KeyedQueue& queue, const Primitive& primitive, Want want,
                           const ReadContext* context)
    : m_queue(queue)
    , m_primitive(primitive)
    , m_want(std::move(want))
    , m_context(context)
{}

Read<bool> KeyedReading::run()
{
    const bool asksTime = !m_context;
    std::vector<Command> setting = m_queue.setting(m_primitive);
    if (asksTime)
        setting.push_back({"TIME"});
    m_first = co_await ask(std::move(setting));
    takeSetting(asksTime);

    m_second = co_await ask(countCommands());
    takeCounts();

    if (m_want.id.isEmpty()) {
        const bool isSetPage =
            m_want.page && m_keys.size() == 1 && m_keys[0].shape == Shape::Set && wanted(0) > 0;
        if (isSetPage) {
            const JobQuery query = queryOf(0);
            for (QByteArray& id : co_await readSetPage(m_keys[0].key, query))
                addEntry(0, std::move(id), std::nullopt);
        } else {
            const std::vector<Reply> pages = co_await ask(pageCommands());
            takePages(pages);
        }
    } else if (!m_keys.empty()) {
        m_entries.push_back({0, {m_want.id, std::nullopt, {}, std::nullopt, {}}});
    }

    m_ofJobs = co_await ask(jobCommands());
    takeJobs();

    m_further = co_await ask(furtherCommands());
    takeFurther();

    const std::vector<Reply> values = co_await ask(valueCommands());
    for (size_t i = 0; i < values.size(); ++i) {
        m_entries[m_valued[i]].read.stored = values[i].text;
        m_bytes += values[i].text.size();
    }

    m_setting.nowMs = m_context ? m_context->nowMs : m_setting.nowMs;
    co_return true;
}

void KeyedReading::takeSetting(bool asksTime)
{
    m_setting.first = m_first;
    if (asksTime) {
        const std::vector<Reply>& time = m_first.back().items;
        m_setting.nowMs = time.empty() ? 0 : wholeNumber(time[0].text).value_or(0) * 1000;
        m_setting.first = m_setting.first.first(m_first.size() - 1);
    } else {
        m_setting.nowMs = m_context->nowMs;
    }
    m_keys = m_queue.jobKeys(m_primitive, m_setting);
    const QByteArray& only = m_want.page ? m_want.page->state : m_want.state;
    // A job may be asked for whose state is not known: what is kept of it is the same in each.
    if (m_want.page || !only.isEmpty())
        std::erase_if(m_keys, [&](const JobsKey& key) { return key.state != only; });
    if (m_keys.size() > mostKeys)
        m_keys.resize(mostKeys);
    if (!m_want.id.isEmpty() && m_keys.size() > 1)
        m_keys.resize(1);
}

bool KeyedReading::isElementTheJob(const JobsKey& key) const
{
    return m_queue.storeOf(m_primitive, key, "").key.isEmpty();
}

std::vector<Command> KeyedReading::countCommands() const
{
    std::vector<Command> commands = m_queue.furtherSetting(m_primitive, m_setting);
    for (const JobsKey& key : m_keys) {
        commands.push_back(countCommand(key));
        if (isElementTheJob(key))
            commands.push_back({"MEMORY", "USAGE", key.key, "SAMPLES", "5"});
    }
    return commands;
}

void KeyedReading::takeCounts()
{
    size_t ofKeys = 0;
    for (const JobsKey& key : m_keys)
        ofKeys += isElementTheJob(key) ? 2 : 1;
    size_t at = m_second.size() - ofKeys;
    m_setting.second = std::span(m_second).first(at);
    for (const JobsKey& key : m_keys) {
        const Reply& count = m_second[at++];
        m_counts.push_back(count.isError() ? std::nullopt : std::optional(countOf(count)));
        m_weights.push_back(isElementTheJob(key) ? countOf(m_second[at++]) : 0);
    }
}

// How many jobs of that key the read needs.
qint64 KeyedReading::wanted(size_t key) const
{
    const JobsKey& jobs = m_keys[key];
    const qint64 count = m_counts[key].value_or(0);
    if (count == 0)
        return 0;
    qint64 most = 0;
    if (jobs.shared)
        most = m_want.page ? sharedListed : sharedPolled;
    else if (m_want.page)
        most = std::min(m_want.page->offset + m_want.page->limit,
                        m_keys.size() > 1 ? sharedListed : std::numeric_limits<qint64>::max());
    else if (jobs.role == JobRole::Processing)
        most = jobsInProgressRead;
    else if (jobs.role == JobRole::Ready)
        most = 1;
    else if (jobs.role == JobRole::Dead && m_want.detail)
        most = failuresRead;
    else if (jobs.role == JobRole::Done && jobs.timed && m_want.ended)
        most = endedJobsRead;
    if (m_weights[key] == 0)
        return most;
    const qint64 each = std::max<qint64>(1, m_weights[key] / count);
    const qint64 budget = m_want.page ? listedBytes : polledBytes;
    const qint64 fit = budget / each;
    return fit > 0 ? std::min(most, fit) : m_want.page ? std::min<qint64>(most, 1) : 0;
}

JobQuery KeyedReading::queryOf(size_t key) const
{
    const qint64 most = wanted(key);
    const bool simple = m_want.page && m_keys.size() == 1 && !m_keys[key].shared;
    if (!simple)
        return {m_keys[key].state, 0, most};
    // The whole page is one range of one key.
    return {m_want.page->state, m_want.page->offset, std::min(m_want.page->limit, most)};
}

std::vector<Command> KeyedReading::pageCommands()
{
    std::vector<Command> commands;
    for (size_t key = 0; key < m_keys.size(); ++key) {
        if (wanted(key) > 0) {
            m_pages.emplace_back(key, pageCommand(m_keys[key], queryOf(key)));
            commands.push_back(m_pages.back().second);
        }
    }
    return commands;
}

void KeyedReading::takePages(std::span<const Reply> replies)
{
    for (size_t i = 0; i < m_pages.size(); ++i) {
        const auto [key, page] = m_pages[i];
        auto elements = elementsOf(m_keys[key], page, replies[i]);
        if (m_keys[key].shape == Shape::Set && qint64(elements.size()) > wanted(key))
            elements.resize(size_t(wanted(key)));
        for (auto& [element, score] : elements)
            addEntry(key, std::move(element), score);
    }
}

void KeyedReading::addEntry(size_t key, QByteArray element, std::optional<double> score)
{
    m_bytes += element.size();
    if (m_want.ended && m_keys[key].role == JobRole::Done && m_keys[key].timed) {
        m_ended.push_back(element);
        if (isSampled(m_want.known, element))
            return;
    }
    m_entries.push_back({key, {std::move(element), score, {}, std::nullopt, {}}});
}

bool KeyedReading::isWhole(size_t key) const
{
    return count(key) && *count(key) <= wanted(key);
}

// The size and further facts of each job, then the jobs in progress once more: a job that ended in
// between has lost its lock and is not stuck.
std::vector<Command> KeyedReading::jobCommands()
{
    std::vector<Command> commands;
    for (const Entry& entry : m_entries) {
        const JobsKey& key = m_keys[entry.key];
        const JobStore store = m_queue.storeOf(m_primitive, key, entry.read.element);
        const size_t before = commands.size();
        if (!store.key.isEmpty())
            commands.push_back(store.field.isEmpty() ? Command{"STRLEN", store.key}
                                                     : Command{"HSTRLEN", store.key, store.field});
        for (Command& command : m_queue.readsOfJob(m_primitive, key, m_setting, entry.read.element))
            commands.push_back(std::move(command));
        m_lengths.push_back(commands.size() - before);
    }
    if (m_want.page || !m_want.id.isEmpty() || commands.empty())
        return commands;
    for (const auto& [key, page] : m_pages) {
        if (m_keys[key].role == JobRole::Processing)
            commands.push_back(page);
    }
    return commands;
}

void KeyedReading::takeJobs()
{
    std::span<const Reply> replies = m_ofJobs;
    for (size_t i = 0; i < m_entries.size(); ++i) {
        Entry& entry = m_entries[i];
        std::span<const Reply> own = replies.first(m_lengths[i]);
        replies = replies.subspan(m_lengths[i]);
        if (!m_queue.storeOf(m_primitive, m_keys[entry.key], entry.read.element).key.isEmpty()) {
            entry.read.size = countOf(own.front());
            own = own.subspan(1);
        }
        entry.read.replies = own;
    }
    if (!replies.empty())
        dropEnded(replies);
}

std::vector<Command> KeyedReading::furtherCommands()
{
    std::vector<Command> commands;
    m_lengths.clear();
    for (const Entry& entry : m_entries) {
        const size_t before = commands.size();
        for (Command& command :
             m_queue.furtherReadsOfJob(m_primitive, m_keys[entry.key], entry.read))
            commands.push_back(std::move(command));
        m_lengths.push_back(commands.size() - before);
    }
    return commands;
}

void KeyedReading::takeFurther()
{
    std::span<const Reply> replies = m_further;
    for (size_t i = 0; i < m_entries.size(); ++i) {
        m_entries[i].read.further = replies.first(m_lengths[i]);
        replies = replies.subspan(m_lengths[i]);
    }
}

void KeyedReading::dropEnded(std::span<const Reply> pages)
{
    size_t at = 0;
    for (const auto& [key, page] : m_pages) {
        if (m_keys[key].role != JobRole::Processing)
            continue;
        const auto still = elementsOf(m_keys[key], page, pages[at++]);
        std::erase_if(m_entries, [&, k = key](const Entry& entry) {
            return entry.key == k &&
                   std::none_of(still.begin(), still.end(), [&](const auto& element) {
                       return element.first == entry.read.element;
                   });
        });
    }
}

std::vector<Command> KeyedReading::valueCommands()
{
    const bool one = !m_want.id.isEmpty();
    const qint64 largest = one ? detailBytes : largestPolled;
    qint64 left = one ? detailBytes : m_want.page ? listedBytes : 4 * polledBytes;
    std::vector<Command> commands;
    for (size_t i = 0; i < m_entries.size(); ++i) {
        const qint64 size = m_entries[i].read.size.value_or(0);
        const JobStore store =
            m_queue.storeOf(m_primitive, m_keys[m_entries[i].key], m_entries[i].read.element);
        if (size <= 0 || size > std::min(largest, left) || (store.opaque && !one))
            continue;
        left -= size;
        m_valued.push_back(i);
        commands.push_back(store.field.isEmpty() ? Command{"GETRANGE", store.key, "0", "-1"}
                                                 : Command{"HGET", store.key, store.field});
    }
    return commands;
}

} // namespace lk
