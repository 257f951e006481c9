// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/api/primitiveread.h"

#include "backend/core/derived/observation.h"
#include "backend/core/names/keyname.h"
#include "backend/core/redactedname.h"
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/probeanswer.h"

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

// The error that ends the read: the main key is of another type, or a reply is an error that the
// layout does not expect.
std::optional<Error> problemIn(const Layout& layout, const Primitive& primitive, bool typed,
                               std::span<const Command> commands, std::span<const Reply> replies)
{
    if (typed && !replies.empty() && replies.front().isText()) {
        const KeyType found = keyTypeFromName(replies.front().text);
        if (found != KeyType::None && found != layout.mainType())
            return Error{
                ErrorCode::WrongType,
                LayoutText::tr("%1 must be a %2 and is a %3", "key, expected type, found type")
                    .arg(shownKey(primitive.kind, primitive.keys.front().key),
                         QString::fromLatin1(keyTypeName(layout.mainType())),
                         displayName(replies.front().text))};
    }
    for (size_t i = 0; i < replies.size(); ++i) {
        // The size of a key is optional: not every user may run MEMORY USAGE.
        if (replies[i].isError() && commands[i].args().front() != "MEMORY" &&
            !layout.mayFail(primitive, commands[i]))
            return errorIn(primitive, commands.subspan(i), replies.subspan(i));
    }
    return std::nullopt;
}

} // namespace

PrimitiveRead::PrimitiveRead(ReadRequest request, qint64 nowMs)
    : m_layout(findLayout(request.primitive->id.layout))
    , m_request(std::move(request))
    , m_nowMs(nowMs)
{
    begin();
}

// The type of a guessed primitive is known, so that it does not cost a command each time.
bool PrimitiveRead::asksType() const
{
    return m_request.primitive->declaration && !m_request.primitive->keys.empty();
}

void PrimitiveRead::begin()
{
    if (!m_layout)
        return;
    const State* known = (m_firstStep ? m_firstStep : m_request.previous).get();
    m_read.reset();
    m_context = std::make_unique<ReadContext>(ReadContext{
        m_nowMs, m_request.depth, m_request.large, known, m_request.payloads, m_request.unchanged});
    m_read = m_layout->readState(*m_request.primitive, *m_context);
    m_commands = m_read->commands();
    if (asksType())
        m_commands.insert(m_commands.begin(), Command{"TYPE", m_request.primitive->keys[0].key});
}

// Nothing if there is another step.
std::optional<Result<DecodeResult>> PrimitiveRead::goOn(std::span<const Reply> replies)
{
    if (!m_layout)
        return tl::unexpected(Error{ErrorCode::Undecodable, {}});
    if (replies.size() != m_commands.size())
        return tl::unexpected(
            Error{ErrorCode::Undecodable, LayoutText::tr("%1 replies for %2 commands")
                                              .arg(replies.size())
                                              .arg(m_commands.size())});
    m_context->nowMs = m_nowMs;
    const bool typed = m_commands.size() > m_read->commands().size();
    if (auto problem = problemIn(*m_layout, *m_request.primitive, typed, m_commands, replies))
        return tl::unexpected(std::move(*problem));
    if (!m_read->isDone()) // else it asks nothing
        m_read->next(replies.subspan(typed ? 1 : 0));
    if (m_read->isDone())
        return m_read->take();
    if (m_layout->mainType() == KeyType::Hash) {
        std::move(m_commands.begin(), m_commands.end(), std::back_inserter(m_asked));
        m_replies.insert(m_replies.end(), replies.begin(), replies.end());
    }
    m_commands = m_read->commands();
    return std::nullopt;
}

// Decodes these replies to all commands of the read.
Result<DecodeResult> PrimitiveRead::readAgain(std::span<const Reply> replies)
{
    m_context->nowMs = m_nowMs;
    Read<DecodeResult> read = m_layout->readState(*m_request.primitive, *m_context);
    replies = replies.subspan(asksType() ? 1 : 0);
    while (!read.isDone()) {
        const size_t asked = read.commands().size();
        if (asked > replies.size())
            return failure(ErrorCode::Undecodable, {});
        read.next(replies.first(asked));
        replies = replies.subspan(asked);
    }
    return read.take();
}

std::optional<ReadOutcome> PrimitiveRead::take(std::span<const Reply> replies, qint64 nowMs)
{
    for (const Reply& reply : replies)
        m_bytes += bytesOf(reply);
    if (m_dueJobs) {
        m_dueJobs->take(replies);
        m_commands = m_dueJobs->commands();
        if (!m_commands.empty())
            return std::nullopt;
        m_dueJobs->finish(m_outcome->state);
        m_outcome->bytes = m_bytes;
        return std::move(m_outcome);
    }
    m_nowMs = nowMs;
    bool wantsLarge = false;
    ReadOutcome outcome;
    if (m_fieldExpiry) {
        m_fieldExpiry->take(replies);
        m_commands = m_fieldExpiry->commands();
        if (!m_commands.empty())
            return std::nullopt;
        outcome = outcomeOf(readAgain(m_fieldExpiry->replies()), wantsLarge);
    } else {
        std::optional<Result<DecodeResult>> reading = goOn(replies);
        if (!reading)
            return std::nullopt;
        outcome = outcomeOf(std::move(*reading), wantsLarge);
        if (wantsLarge && !m_request.large) {
            m_request.large = true;
            m_firstStep = std::make_shared<const State>(std::move(outcome.state));
            m_asked.clear();
            m_replies.clear();
            begin();
            return std::nullopt;
        }
        if (mayHaveFieldExpiry(outcome)) {
            m_asked.insert(m_asked.end(), m_commands.begin(), m_commands.end());
            m_replies.insert(m_replies.end(), replies.begin(), replies.end());
            FieldExpiry expiry(m_request.primitive->keys.front().key, std::move(m_asked),
                               std::move(m_replies));
            if (!expiry.commands().empty()) {
                m_commands = expiry.commands();
                m_fieldExpiry = std::move(expiry);
                return std::nullopt;
            }
        }
    }
    outcome.payloads = m_request.payloads;
    outcome.bytes = m_bytes;
    return withDueJobs(std::move(outcome));
}

// Nothing if the queue's overdue jobs are read first.
std::optional<ReadOutcome> PrimitiveRead::withDueJobs(ReadOutcome outcome)
{
    if (!m_layout || outcome.state.kind() != Kind::Queue)
        return outcome;
    DueJobs due(*m_layout, outcome.state, m_request.previous.get());
    if (due.commands().empty()) {
        due.finish(outcome.state);
        return outcome;
    }
    m_commands = due.commands();
    m_dueJobs.emplace(std::move(due));
    m_outcome = std::move(outcome);
    return std::nullopt;
}

bool PrimitiveRead::mayHaveFieldExpiry(const ReadOutcome& outcome) const
{
    return m_layout && m_layout->mainType() == KeyType::Hash &&
           !m_request.primitive->keys.empty() && lacksExpiry(outcome.state);
}

std::optional<ReadOutcome> PrimitiveRead::takeProbe(const Probe& probe)
{
    // If the read asks the commands of the probe in its order, its replies need no copy.
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
    m_nowMs = probe.nowMs;
    auto reading = goOn(same ? std::span(probe.replies).first(m_commands.size())
                             : std::span<const Reply>(picked));
    if (!reading)
        return std::nullopt;
    bool wantsLarge = false;
    ReadOutcome outcome = outcomeOf(std::move(*reading), wantsLarge);
    if (wantsLarge || (probe.fieldsExpire && mayHaveFieldExpiry(outcome)))
        return std::nullopt;
    if (m_layout && outcome.state.kind() == Kind::Queue &&
        !DueJobs(*m_layout, outcome.state, nullptr).commands().empty())
        return std::nullopt;
    return outcome;
}

ReadOutcome PrimitiveRead::outcomeOf(Result<DecodeResult> reading, bool& wantsLarge) const
{
    ReadOutcome outcome;
    outcome.handle = m_request.handle;
    outcome.large = m_request.large;
    if (reading) {
        outcome.state = std::move(reading->state);
        wantsLarge = reading->wantsLarge;
    } else {
        outcome.state = problemState(m_request.primitive, m_nowMs, reading.error());
    }
    outcome.state.primitive = m_request.primitive;
    outcome.state.asOfMs = m_nowMs;
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
        return PrimitiveRead(std::move(request), probe.nowMs).takeProbe(probe);
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
