// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/api/read.h"

#include "backend/core/derived/observation.h"
#include "backend/libraries/detect/probeanswer.h"

#include <algorithm>

namespace lk {

namespace {

constexpr int mostSteps = 4; // after the first; then the layout decodes the replies it has

qint64 bytesOf(const Reply& reply)
{
    qint64 bytes = reply.text.size();
    for (const Reply& item : reply.items)
        bytes += bytesOf(item);
    return bytes;
}

} // namespace

PlannedRead::PlannedRead(ReadRequest request, qint64 nowMs)
    : m_layout(findLayout(request.primitive->id.layout))
    , m_request(std::move(request))
{
    plan(nowMs);
}

void PlannedRead::plan(qint64 nowMs)
{
    if (m_layout)
        m_commands = m_layout->plan(*m_request.primitive, contextAt(nowMs));
}

ReadContext PlannedRead::contextAt(qint64 nowMs) const
{
    const State* known = m_firstStep ? &*m_firstStep : m_request.previous.get();
    return {nowMs, m_request.depth,    m_request.large,
            known, m_request.payloads, m_request.unchanged};
}

std::optional<ReadOutcome> PlannedRead::take(std::span<const Reply> replies, qint64 nowMs)
{
    for (const Reply& reply : replies)
        m_bytes += bytesOf(reply);
    std::span<const Command> commands = m_commands;
    if (m_dueJobs) {
        m_dueJobs->take(replies);
        m_commands = m_dueJobs->commands();
        if (!m_commands.empty())
            return std::nullopt;
        m_dueJobs->finish(m_outcome->state);
        m_outcome->bytes = m_bytes;
        return std::move(m_outcome);
    }
    if (m_fieldExpiry) {
        m_fieldExpiry->take(replies);
        m_commands = m_fieldExpiry->commands();
        if (!m_commands.empty())
            return std::nullopt;
        bool wantsLarge = false;
        ReadOutcome outcome =
            decode(m_fieldExpiry->asked(), m_fieldExpiry->replies(), nowMs, wantsLarge);
        outcome.payloads = m_request.payloads;
        outcome.bytes = m_bytes;
        return outcome;
    }
    if (m_layout && ++m_steps <= mostSteps) {
        std::vector<Command> more;
        const ReadContext context = contextAt(nowMs);
        if (m_asked.empty()) {
            more = m_layout->further(*m_request.primitive, context, m_commands, replies);
        } else {
            gather(replies);
            more = m_layout->further(*m_request.primitive, context, m_asked, m_replies);
        }
        if (!more.empty()) {
            if (m_replies.empty())
                gather(replies);
            m_commands = std::move(more);
            return std::nullopt;
        }
    } else if (!m_asked.empty()) {
        gather(replies);
    }
    if (!m_asked.empty()) {
        commands = m_asked;
        replies = m_replies;
    }
    bool wantsLarge = false;
    ReadOutcome outcome = decode(commands, replies, nowMs, wantsLarge);
    if (wantsLarge && !m_request.large) {
        m_request.large = true;
        m_firstStep = std::move(outcome.state);
        m_asked.clear();
        m_replies.clear();
        m_steps = 0;
        plan(nowMs);
        return std::nullopt;
    }
    if (mayHaveFieldExpiry(outcome)) {
        FieldExpiry expiry(m_request.primitive->keys.front().key,
                           {commands.begin(), commands.end()}, {replies.begin(), replies.end()});
        if (!expiry.commands().empty()) {
            m_commands = expiry.commands();
            m_fieldExpiry = std::move(expiry);
            return std::nullopt;
        }
    }
    outcome.payloads = m_request.payloads;
    outcome.bytes = m_bytes;
    if (m_layout && outcome.state.kind() == Kind::Queue) {
        DueJobs due(*m_layout, outcome.state, m_request.previous.get());
        if (!due.commands().empty()) {
            m_commands = due.commands();
            m_dueJobs.emplace(std::move(due));
            m_outcome = std::move(outcome);
            return std::nullopt;
        }
        due.finish(outcome.state);
    }
    return outcome;
}

bool PlannedRead::mayHaveFieldExpiry(const ReadOutcome& outcome) const
{
    return m_layout && m_layout->mainType() == KeyType::Hash &&
           !m_request.primitive->keys.empty() && lacksExpiry(outcome.state);
}

// Appends the current step to those before it.
void PlannedRead::gather(std::span<const Reply> replies)
{
    m_asked.insert(m_asked.end(), std::make_move_iterator(m_commands.begin()),
                   std::make_move_iterator(m_commands.end()));
    m_replies.insert(m_replies.end(), replies.begin(), replies.end());
    m_commands.clear();
}

std::optional<ReadOutcome> PlannedRead::takeProbe(const Probe& probe) const
{
    // If the plan has the commands of the probe in its order, its replies need no copy.
    const bool same = m_commands.size() <= probe.asked.size() &&
                      std::equal(m_commands.begin(), m_commands.end(), probe.asked.begin());
    std::vector<Reply> picked;
    if (!same) {
        for (const Command& command : m_commands) {
            std::optional<Reply> reply = answerFrom(probe, command);
            if (!reply)
                return std::nullopt;
            picked.push_back(std::move(*reply));
        }
    }
    const std::span<const Reply> replies =
        same ? std::span(probe.replies).first(m_commands.size()) : std::span<const Reply>(picked);
    if (m_layout &&
        !m_layout->further(*m_request.primitive, contextAt(probe.nowMs), m_commands, replies)
             .empty())
        return std::nullopt;
    bool wantsLarge = false;
    ReadOutcome outcome = decode(m_commands, replies, probe.nowMs, wantsLarge);
    if (wantsLarge || (probe.fieldsExpire && mayHaveFieldExpiry(outcome)))
        return std::nullopt;
    if (m_layout && outcome.state.kind() == Kind::Queue &&
        !DueJobs(*m_layout, outcome.state, nullptr).commands().empty())
        return std::nullopt;
    return outcome;
}

ReadOutcome PlannedRead::decode(std::span<const Command> commands, std::span<const Reply> replies,
                                qint64 nowMs, bool& wantsLarge) const
{
    ReadOutcome outcome;
    outcome.handle = m_request.handle;
    outcome.large = m_request.large;
    std::optional<Error> problem;
    if (!m_layout) {
        problem = Error{ErrorCode::Undecodable, {}};
    } else if (Result<DecodeResult> reading =
                   m_layout->decode(*m_request.primitive, commands, replies, contextAt(nowMs))) {
        outcome.state = std::move(reading->state);
        wantsLarge = reading->wantsLarge;
    } else {
        problem = std::move(reading.error());
    }
    if (problem)
        outcome.state = problemState(m_request.primitive, nowMs, *problem);
    outcome.state.primitive = m_request.primitive;
    outcome.state.asOfMs = nowMs;
    outcome.state.health = atMost(outcome.state.health, *m_request.primitive);
    observe(outcome.state, m_request.previous.get());
    return outcome;
}

std::optional<ReadOutcome> readProbe(const Layout& layout, const PrimitivePtr& primitive,
                                     const Probe& probe)
{
    ReadContext context;
    context.nowMs = probe.nowMs;
    // A declared primitive also needs its main key's type.
    auto reading =
        primitive->declaration ? std::nullopt : layout.decodeProbe(*primitive, probe, context);
    if (!reading) {
        ReadRequest request;
        request.primitive = primitive;
        return PlannedRead(std::move(request), probe.nowMs).takeProbe(probe);
    }
    if (reading->wantsLarge)
        return std::nullopt;
    ReadOutcome outcome;
    outcome.state = std::move(reading->state);
    outcome.state.primitive = primitive;
    outcome.state.asOfMs = probe.nowMs;
    outcome.state.health = atMost(outcome.state.health, *primitive);
    observe(outcome.state, nullptr);
    return outcome;
}

} // namespace lk
