// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/tokens/tokenreading.h"

#include "backend/libraries/detect/replyvalues.h"

namespace lk {

namespace {

struct Uses
{
    bool used = false;
    std::optional<qint64> count;
};

// A number is the count. "used_at" is a time. Any other value except a "no" means used.
Uses usesOf(const QByteArray& field, const QByteArray& value)
{
    const auto number = wholeNumber(value);
    const bool isTime = field == "used_at";
    if (number && !isTime)
        return {*number > 0, std::max<qint64>(0, *number)};
    const QByteArray word = value.toLower();
    const bool no = word.isEmpty() || word == "0" || word == "false" || word == "no" ||
                    word == "nil" || word == "null";
    if (no)
        return {false, 0};
    return {true, std::nullopt};
}

void readUses(State& state, TokenState& token, const Reply& fields,
              const std::vector<QByteArray>& useFields, qint64 length)
{
    Uses uses{false, 0};
    for (const QByteArray& field : useFields) {
        if (const auto value =
                fieldOf(fields, useFields, {field.constData(), size_t(field.size())})) {
            uses = usesOf(field, *value);
            break;
        }
    }
    token.uses = uses.count;
    if (!uses.used) {
        state.health = state.ttlMs ? Health::Ok : Health::Warning;
        return;
    }
    const bool neverIssued = length == 1;
    token.phase = neverIssued ? TokenState::Phase::NeverIssued : TokenState::Phase::Used;
    const bool twice = uses.count.value_or(1) > 1;
    state.health = neverIssued ? Health::Error : twice ? Health::Warning : Health::Idle;
}

// The state that all tokens share: existence and TTL.
State tokenState(const Ttl& ttl, TokenState& token, qint64 nowMs)
{
    State state;
    state.present = ttl.exists;
    state.ttlMs = ttl.ms;
    token.phase = ttl.exists ? TokenState::Phase::Live : TokenState::Phase::Gone;
    if (ttl.ms) {
        state.urgency = double(*ttl.ms) / 1000;
        state.revisitAtMs = nowMs + *ttl.ms + 1;
    }
    return state;
}

} // namespace

std::vector<Command> stringTokenReads(const QByteArray& key, const ReadContext& context)
{
    std::vector<Command> commands{probecommands::ttl(key)};
    if (context.depth == Depth::Detail)
        commands.push_back({QByteArrayLiteral("STRLEN"), key});
    return commands;
}

State stringTokenState(std::span<const Reply> replies, const ReadContext& context)
{
    const Ttl ttl = ttlOf(replies[0]);
    TokenState token;
    State state = tokenState(ttl, token, context.nowMs);
    if (ttl.exists) {
        token.uses = 0;
        state.health = ttl.ms ? Health::Ok : Health::Warning;
    }
    if (ttl.exists && replies.size() > 1)
        state.bytes = token.bytes = countOf(replies[1]);
    else if (ttl.exists && context.previous && context.previous->present)
        state.bytes = context.previous->bytes; // the size at the last full read
    state.body = std::move(token);
    return state;
}

std::vector<Command> hashTokenReads(const QByteArray& key, const std::vector<QByteArray>& useFields)
{
    return commandsOf(probecommands::hashLength(key), probecommands::hashFields(key, useFields),
                      probecommands::ttl(key));
}

State hashTokenState(std::span<const Reply> replies, const std::vector<QByteArray>& useFields,
                     const ReadContext& context)
{
    const Ttl ttl = ttlOf(replies[2]);
    TokenState token;
    State state = tokenState(ttl, token, context.nowMs);
    if (ttl.exists)
        readUses(state, token, replies[1], useFields, countOf(replies[0]));
    state.body = std::move(token);
    return state;
}

} // namespace lk
