// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/layouts/patterns/patternreading.h"

#include "backend/core/derived/patternfigures.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 itemsRead = 20;
constexpr qint64 bytesRead = 64 * 1024;
constexpr qsizetype labelBytes = 128;

std::optional<qint64> weighed(const ReadContext& context)
{
    const auto* known = context.previous ? context.previous->as<PatternState>() : nullptr;
    return known ? known->itemBytes : std::nullopt;
}

qint64 itemsWanted(const ReadContext& context)
{
    const std::optional<qint64> each = weighed(context);
    if (!each || *each > bytesRead)
        return 0;
    return std::clamp<qint64>(bytesRead / std::max<qint64>(*each, 1), 1, itemsRead);
}

// The rows of the last look stand for those of now, as far as nothing speaks against it.
void keepRows(ListRead& look, const ReadContext& context)
{
    const auto* known = context.previous && !context.previous->problem
                            ? context.previous->as<PatternState>()
                            : nullptr;
    if (!known)
        return;
    look.payloads = context.previous->payloads;
    look.rows = known->rows;
    if (!look.payloads.asOfMs || mainNumber(*known) != double(look.length))
        look.payloads.changed = true;
    else if (context.unchanged && !look.payloads.changed)
        look.payloads.asOfMs = context.nowMs;
}

// What the largest of its keys takes, where anything tells. Of a series: which one that is.
std::optional<qint64> largestOf(const PatternState& pattern, QByteArray& key)
{
    std::optional<qint64> bytes;
    for (const auto& [name, value] : pattern.values) {
        if (name == "length" && pattern.itemBytes)
            bytes = qint64(value) * *pattern.itemBytes;
        else if (name == "bytes")
            bytes = qint64(value);
    }
    if (pattern.rowsAre == PatternState::Rows::Counts) { // a key each
        for (const PatternRow& row : pattern.rows) {
            if (bytes && row.bytes <= *bytes)
                continue;
            bytes = row.bytes;
            key = row.label.size() < labelBytes ? row.label : QByteArray(); // else it was cut
        }
    }
    return bytes;
}

} // namespace

std::vector<Command> listReads(const QByteArray& key, ListEnd end, const ReadContext& context)
{
    std::vector<Command> commands{{QByteArrayLiteral("LLEN"), key}, probecommands::ttl(key)};
    if (context.depth != Depth::Detail)
        return commands;
    commands.push_back({QByteArrayLiteral("MEMORY"), QByteArrayLiteral("USAGE"), key,
                        QByteArrayLiteral("SAMPLES"), QByteArrayLiteral("5")});
    if (context.payloads == PayloadRead::None)
        return commands;
    const qint64 wanted = itemsWanted(context);
    if (wanted == 0) // an empty range: the plan's length does not depend on what is known
        commands.push_back({QByteArrayLiteral("LRANGE"), key, "-1", "-2"});
    else if (end == ListEnd::Left)
        commands.push_back({QByteArrayLiteral("LRANGE"), key, "0", QByteArray::number(wanted - 1)});
    else
        commands.push_back({QByteArrayLiteral("LRANGE"), key, QByteArray::number(-wanted), "-1"});
    return commands;
}

size_t listReadCount(const ReadContext& context)
{
    if (context.depth != Depth::Detail)
        return 2;
    return context.payloads == PayloadRead::None ? 3 : 4;
}

ListRead listRead(std::span<const Reply> replies, ListEnd end, const ReadContext& context)
{
    ListRead look;
    look.length = countOf(replies[0]);
    look.ttl = ttlOf(replies[1]);
    if (look.length == 0) {
        look.payloads.bytes = 0;
        look.payloads.asOfMs = context.nowMs;
        return look;
    }
    look.itemBytes = weighed(context); // what it takes is still known, about
    if (context.depth != Depth::Detail)
        return look;
    look.itemBytes = countOf(replies[2]) / look.length;
    if (context.payloads == PayloadRead::None) {
        keepRows(look, context);
        return look;
    }
    look.wantsLarge = !context.large && !weighed(context);
    look.payloads.asOfMs = context.nowMs;
    look.payloads.bytes = *look.itemBytes * std::min(look.length, itemsRead);
    for (const Reply& item : replies[3].items)
        look.rows.push_back(rowOf(item.text));
    if (end == ListEnd::Right)
        std::reverse(look.rows.begin(), look.rows.end());
    return look;
}

PatternState listPattern(ListRead look, PatternState::Rows rowsAre)
{
    PatternState pattern;
    pattern.values = {{QByteArrayLiteral("length"), double(look.length)}};
    pattern.rowsAre = rowsAre;
    pattern.rowsTruncated = qint64(look.rows.size()) < look.length;
    pattern.rows = std::move(look.rows);
    pattern.itemBytes = look.itemBytes;
    return pattern;
}

PatternRow rowOf(const QByteArray& whole, std::optional<double> value)
{
    return {whole.left(labelBytes), value, whole.size()};
}

void settlePattern(State& state, PatternState pattern, const Ttl& ttl, qint64 nowMs)
{
    state.present = ttl.exists;
    state.ttlMs = ttl.ms;
    state.health = ttl.exists ? Health::Ok : Health::Idle;
    if (ttl.ms)
        state.revisitAtMs = nowMs + *ttl.ms + 1;
    state.bytes = largestOf(pattern, state.bytesKey);
    state.body = std::move(pattern);
}

} // namespace lk
