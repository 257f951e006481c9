// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/seeds/patterns/patternreading.h"

#include "backend/core/derived/patternfigures.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 itemsRead = 20;
constexpr qint64 patternBytesRead = 64 * 1024;
constexpr qsizetype labelBytes = 128;

std::optional<qint64> weighed(const ReadContext& context)
{
    const auto* known = context.previous ? context.previous->as<PatternState>() : nullptr;
    return known ? known->itemBytes : std::nullopt;
}

qint64 itemsWanted(const ReadContext& context)
{
    const std::optional<qint64> each = weighed(context);
    if (!each || *each > patternBytesRead)
        return 0;
    return std::clamp<qint64>(patternBytesRead / std::max<qint64>(*each, 1), 1, itemsRead);
}

// Keeps the rows of the last read. Marks them as changed if the list's length differs.
void keepRows(ListRead& list, const ReadContext& context)
{
    const auto* known = context.previous && !context.previous->problem
                            ? context.previous->as<PatternState>()
                            : nullptr;
    if (!known)
        return;
    list.payloads = *context.previous->payloads;
    list.rows = known->rows;
    if (!list.payloads.asOfMs || mainNumber(*known) != double(list.length))
        list.payloads.changed = true;
    else if (context.unchanged && !list.payloads.changed)
        list.payloads.asOfMs = context.nowMs;
}

// Returns the size of the pattern's largest key if it is known. For a series it also sets key to
// that key's name.
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
    if (wanted == 0) // an empty range keeps the number of planned commands constant
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
    ListRead list;
    list.length = countOf(replies[0]);
    list.ttl = ttlOf(replies[1]);
    if (list.length == 0) {
        list.payloads.bytes = 0;
        list.payloads.asOfMs = context.nowMs;
        return list;
    }
    list.itemBytes = weighed(context); // the approximate size is still known
    if (context.depth != Depth::Detail)
        return list;
    if (!replies[2].isError()) // else it is not known, and no element is read
        list.itemBytes = countOf(replies[2]) / list.length;
    if (context.payloads == PayloadRead::None) {
        keepRows(list, context);
        return list;
    }
    list.wantsLarge = !context.large && list.itemBytes && !weighed(context);
    list.payloads.asOfMs = context.nowMs;
    list.payloads.bytes = list.itemBytes.value_or(0) * std::min(list.length, itemsRead);
    for (const Reply& item : replies[3].items)
        list.rows.push_back(rowOf(item.text));
    if (end == ListEnd::Right)
        std::reverse(list.rows.begin(), list.rows.end());
    return list;
}

PatternState listPattern(ListRead list, PatternState::Rows rowsAre)
{
    PatternState pattern;
    pattern.values = {{QByteArrayLiteral("length"), double(list.length)}};
    pattern.rowsAre = rowsAre;
    pattern.rowsTruncated = qint64(list.rows.size()) < list.length;
    pattern.rows = std::move(list.rows);
    pattern.itemBytes = list.itemBytes;
    return pattern;
}

PatternRow rowOf(const QByteArray& whole, std::optional<double> value)
{
    return {whole.left(labelBytes), value, whole.size()};
}

void finalizePattern(State& state, PatternState pattern, const Ttl& ttl, qint64 nowMs)
{
    state.present = ttl.exists;
    state.ttlMs = ttl.ms;
    state.health = ttl.exists ? Health::Ok : Health::Idle;
    if (ttl.ms)
        state.revisitAtMs = nowMs + *ttl.ms + 1;
    QByteArray bytesKey = *state.bytesKey;
    state.bytes = largestOf(pattern, bytesKey);
    state.bytesKey = std::move(bytesKey);
    state.body = std::move(pattern);
}

} // namespace lk
