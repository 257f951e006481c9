// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/api/fieldexpiry.h"

#include "backend/libraries/detect/probe.h"

#include <algorithm>

namespace lk {

namespace {

constexpr size_t mostFields = 64; // asked for at once

std::vector<QByteArray> textsOf(std::span<const Reply> items, size_t step)
{
    std::vector<QByteArray> texts;
    for (size_t i = 0; i < items.size() && texts.size() < mostFields; i += step) {
        if (items[i].isText())
            texts.push_back(items[i].text);
    }
    return texts;
}

} // namespace

bool lacksExpiry(const State& state)
{
    if (!state.present || state.ttlMs || state.problem)
        return false;
    if (const auto* lock = state.as<LockState>())
        return lock->phase == LockState::Phase::NoTtl;
    if (const auto* token = state.as<TokenState>())
        return token->phase != TokenState::Phase::NeverIssued;
    const auto* limiter = state.as<LimiterState>();
    return limiter &&
           (limiter->algorithm == Algorithm::FixedWindow || limiter->algorithm == Algorithm::Gate);
}

FieldExpiry::FieldExpiry(QByteArray key, std::vector<Command> asked, std::vector<Reply> replies)
    : m_key(std::move(key))
    , m_asked(std::move(asked))
    , m_replies(std::move(replies))
{
    std::vector<QByteArray> names;
    for (size_t i = 0; i < m_asked.size() && i < m_replies.size(); ++i) {
        const std::vector<QByteArray>& args = m_asked[i].args();
        if (args.size() < 2 || args[1] != m_key)
            continue;
        const Reply& reply = m_replies[i];
        if (args[0] == "PTTL" && reply.isInteger() && reply.integer == -1)
            m_ttlAt = i;
        else if (args[0] == "HLEN" && reply.isInteger())
            m_fields = reply.integer;
        else if (args[0] == "HMGET")
            names.insert(names.end(), args.begin() + 2, args.end());
        else if (args[0] == "HSCAN" && reply.items.size() == 2)
            names = textsOf(reply.items[1].items, 2);
    }
    if (names.size() > mostFields)
        names.resize(mostFields);
    if (m_ttlAt && !names.empty())
        ask(names);
}

void FieldExpiry::ask(const std::vector<QByteArray>& fields)
{
    std::vector<QByteArray> args{"HPTTL", m_key, "FIELDS",
                                 QByteArray::number(qulonglong(fields.size()))};
    args.insert(args.end(), fields.begin(), fields.end());
    m_commands = {Command(std::move(args))};
}

void FieldExpiry::take(std::span<const Reply> replies)
{
    const bool named = m_commands.front().args().front() == "HRANDFIELD";
    m_commands.clear();
    if (replies.empty() || !replies.front().isArray())
        return;
    const std::vector<Reply>& items = replies.front().items;
    if (named)
        return items.empty() ? void() : ask(textsOf(items, 1));
    qint64 ending = 0;
    qint64 lastMs = 0;
    for (const Reply& item : items) {
        if (item.integer == -1) // the field does not expire
            return;
        if (item.integer < 0) // no such field
            continue;
        ++ending;
        lastMs = std::max(lastMs, item.integer);
    }
    if (ending < m_fields && !m_sampled) {
        m_sampled = true;
        m_commands = {probecommands::fieldNames(m_key)};
    } else if (ending > 0) {
        m_replies[*m_ttlAt] = Reply::number(lastMs);
    }
}

} // namespace lk
