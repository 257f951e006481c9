// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/layouts/read.h"

#include "backend/core/observation.h"

#include <algorithm>

namespace lk {

namespace {

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
    bool wantsLarge = false;
    ReadOutcome outcome = decode(replies, nowMs, wantsLarge);
    for (const Reply& reply : replies)
        m_bytes += bytesOf(reply);
    if (wantsLarge && !m_request.large) {
        m_request.large = true;
        m_firstStep = std::move(outcome.state);
        plan(nowMs);
        return std::nullopt;
    }
    outcome.payloads = m_request.payloads;
    outcome.bytes = m_bytes;
    return outcome;
}

std::optional<ReadOutcome> PlannedRead::takeProbe(const Probe& probe) const
{
    // Plans ask in the order in which the probe does: the same replies, without a copy.
    const bool same = m_commands.size() <= probe.asked.size() &&
                      std::equal(m_commands.begin(), m_commands.end(), probe.asked.begin());
    std::vector<Reply> picked;
    if (!same) {
        for (const Command& command : m_commands) {
            const auto it = std::find(probe.asked.begin(), probe.asked.end(), command);
            if (it == probe.asked.end())
                return std::nullopt;
            picked.push_back(probe.replies[size_t(it - probe.asked.begin())]);
        }
    }
    const std::span<const Reply> replies =
        same ? std::span(probe.replies).first(m_commands.size()) : std::span<const Reply>(picked);
    bool wantsLarge = false;
    ReadOutcome outcome = decode(replies, probe.nowMs, wantsLarge);
    if (wantsLarge)
        return std::nullopt;
    return outcome;
}

ReadOutcome PlannedRead::decode(std::span<const Reply> replies, qint64 nowMs,
                                bool& wantsLarge) const
{
    ReadOutcome outcome;
    outcome.handle = m_request.handle;
    outcome.large = m_request.large;
    std::optional<Error> problem;
    if (!m_layout) {
        problem = Error{ErrorCode::Undecodable, {}};
    } else if (Result<DecodeResult> reading =
                   m_layout->decode(*m_request.primitive, m_commands, replies, contextAt(nowMs))) {
        outcome.state = std::move(reading->state);
        wantsLarge = reading->wantsLarge;
    } else {
        problem = std::move(reading.error());
    }
    if (problem)
        outcome.state = problemState(m_request.primitive, nowMs, *problem);
    outcome.state.primitive = m_request.primitive;
    outcome.state.asOfMs = nowMs;
    observe(outcome.state, m_request.previous.get());
    return outcome;
}

} // namespace lk
