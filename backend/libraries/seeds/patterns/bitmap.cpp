// SPDX-License-Identifier: GPL-3.0-or-later
// SETBIT users:active:2026-11-21 17 1, with a key for each day or hour. A bit marks an active user,
// BITCOUNT counts them. The keys of one form are one primitive, named users:active:YYYY-MM-DD.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/periodname.h"
#include "backend/libraries/detect/valueshape.h"
#include "backend/libraries/detect/wordlists.h"
#include "backend/libraries/seeds/patterns/patternreading.h"

#include "backend/core/derived/patternfigures.h"
#include "backend/core/names/namewords.h"

#include <algorithm>
#include <bit>

namespace lk {

namespace {

constexpr qint64 rangeBytes = 1024 * 1024; // for one BITCOUNT: under 0.1 ms on the server
constexpr qint64 mostRanges = 8;           // for one key: 67 million ids; more are not counted
constexpr qint64 furtherRanges = 24;       // for all keys of a read, beyond each key's first
constexpr qint64 unitedBytes = 32 * 1024;  // for all keys of a read that are combined
constexpr size_t keysInRow = 1;
constexpr size_t keysInDetail = 48;

bool isActivityName(const QByteArray& name)
{
    return hasWord(name, wordsIn<"activity">());
}

// Words inside come from a serializer: bits rarely spell six letters.
bool spellsWords(const QByteArray& head)
{
    constexpr int longest = 6;
    int letters = 0;
    for (const char c : head) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        letters = letter ? letters + 1 : 0;
        if (letters == longest)
            return true;
    }
    return false;
}

// Bytes that are not text, not a HyperLogLog and not the output of a compressor or serializer.
bool looksLikeBits(const QByteArray& head)
{
    if (head.isEmpty() || isPrintable(head) || head.startsWith("HYLL") || spellsWords(head))
        return false;
    for (const char* magic : {"\x1f\x8b", "\xac\xed", "\x89PNG", "\x78\x9c", "\x78\xda",
                              "\x28\xb5\x2f", "\xff\xd8\xff", "\x80\x04\x95", "PK\x03\x04"}) {
        if (head.startsWith(magic))
            return false;
    }
    return true;
}

// A key of the series, and the number of ranges in which it is counted.
struct Counted
{
    QByteArray key;
    qint64 ranges = 1;
    bool united = false; ///< also read completely
};

// Returns the result of BITOP OR and BITCOUNT, without the key that BITOP writes.
qint64 bitsInAny(const std::vector<QByteArray>& bitmaps)
{
    QByteArray all;
    for (const QByteArray& bitmap : bitmaps) {
        if (all.size() < bitmap.size())
            all.append(bitmap.size() - all.size(), '\0');
        for (qsizetype i = 0; i < bitmap.size(); ++i)
            all[i] = char(all.at(i) | bitmap.at(i));
    }
    qint64 bits = 0;
    for (const char c : all)
        bits += std::popcount(static_cast<unsigned char>(c));
    return bits;
}

class Bitmap final : public PlannedLayout
{
public:
    QByteArray id() const override { return QByteArrayLiteral("bitmap"); }
    QString title() const override { return LayoutText::tr("Bitmap per period"); }
    Kind kind() const override { return Kind::Pattern; }
    bool wants(KeyType type) const override { return type == KeyType::String; }
    QByteArray mainRole() const override { return QByteArrayLiteral("bitmap"); }
    KeyType mainType() const override { return KeyType::String; }

    std::function<bool(const QByteArray&)> furtherKeys(const QByteArray& name) const override
    {
        return [name](const QByteArray& key) { return periodForm(key) == name; };
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (probe.type != KeyType::String || !isActivityName(probe.name) ||
            hasWord(probe.name, words<"bloom", "bf", "filter", "cuckoo">) ||
            !looksLikeBits(probe.head))
            return std::nullopt;
        const QByteArray form = periodForm(probe.name);
        if (form.isEmpty())
            return std::nullopt;
        return Claim{{id(), form}, {{mainRole(), probe.name}}, 0.7};
    }

    Claim declared(const Declaration&, const QByteArray& name) const override
    {
        const QByteArray form = periodForm(name);
        return {{id(), form.isEmpty() ? name : form}, {{mainRole(), name}}, 1.0};
    }

protected:
    std::vector<Command> reads(const Primitive& primitive,
                               const ReadContext& context) const override
    {
        std::vector<Command> commands;
        for (const Counted& c : counted(primitive, context)) {
            commands.push_back({QByteArrayLiteral("STRLEN"), c.key});
            commands.push_back(probecommands::ttl(c.key));
            for (qint64 r = 0; r < c.ranges; ++r)
                commands.push_back({QByteArrayLiteral("BITCOUNT"), c.key,
                                    QByteArray::number(r * rangeBytes),
                                    QByteArray::number((r + 1) * rangeBytes - 1)});
            if (c.united)
                commands.push_back({QByteArrayLiteral("GETRANGE"), c.key, QByteArrayLiteral("0"),
                                    QByteArray::number(unitedBytes - 1)});
        }
        return commands;
    }

    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        PatternState pattern;
        pattern.rowsAre = PatternState::Rows::Counts;
        Ttl newest;
        size_t next = 0;
        qint64 present = 0;
        std::vector<QByteArray> united;
        bool unitedWhole = true;
        const std::vector<Counted> keys = counted(primitive, context);
        for (const Counted& c : keys) {
            const qint64 bytes = countOf(replies[next++]);
            const Ttl ttl = ttlOf(replies[next++]);
            qint64 bits = 0;
            for (qint64 r = 0; r < c.ranges; ++r)
                bits += countOf(replies[next++]);
            const QByteArray content = c.united ? replies[next++].text : QByteArray();
            const bool whole = bytes <= c.ranges * rangeBytes;
            reading.wantsLarge |= !whole && !context.large && bytes <= mostRanges * rangeBytes;
            if (!ttl.exists)
                continue;
            if (c.united) {
                // The union is complete: none of the newest keys is left out, and none was cut.
                unitedWhole &= present == qint64(united.size()) && content.size() == bytes;
                united.push_back(content);
            }
            ++present;
            if (!newest.exists)
                newest = ttl;
            PatternRow row = rowOf(c.key, whole ? std::optional(double(bits)) : std::nullopt);
            row.bytes = bytes;
            pattern.rows.push_back(std::move(row));
        }
        const bool known = pattern.rows.empty() || pattern.rows.front().value;
        const double count = pattern.rows.empty() ? 0 : pattern.rows.front().value.value_or(0);
        pattern.values = {{QByteArrayLiteral("count"), known ? count : qQNaN()},
                          {QByteArrayLiteral("keys"), double(primitive.keys.size())}};
        if (unitedWhole && !united.empty())
            pattern.values.emplace_back(idsOfLastName(united.size()), double(bitsInAny(united)));
        if (!known)
            reading.state.facts.push_back(
                {LayoutText::tr("Count"), LayoutText::tr("too large to count"), Source::Unknown});
        std::reverse(pattern.rows.begin(), pattern.rows.end()); // the oldest first
        pattern.rowsTruncated = present > 0 && keys.size() < primitive.keys.size();
        finalizePattern(reading.state, std::move(pattern), newest, context.nowMs);
        return reading;
    }

private:
    // Returns the newest keys, newest first. Names of one form sort like their times.
    static std::vector<Counted> counted(const Primitive& primitive, const ReadContext& context)
    {
        std::vector<QByteArray> names;
        for (const KeyRole& key : primitive.keys)
            names.push_back(key.key);
        std::sort(names.begin(), names.end(), std::greater<>());
        names.resize(
            std::min(names.size(), context.depth == Depth::Detail ? keysInDetail : keysInRow));
        std::vector<Counted> all;
        qint64 left = furtherRanges;
        for (const QByteArray& name : names) {
            const qint64 wanted = (knownBytes(name, context) + rangeBytes - 1) / rangeBytes;
            // Count either all ranges or only the first: a partial count is useless.
            const bool worth = wanted > 1 && wanted <= mostRanges && wanted - 1 <= left;
            all.push_back({name, worth ? wanted : 1});
            left -= worth ? wanted - 1 : 0;
        }
        uniteLast(all, context);
        return all;
    }

    // Marks the newest existing keys for the union once they are known to be small.
    static void uniteLast(std::vector<Counted>& keys, const ReadContext& context)
    {
        std::vector<Counted*> last;
        qint64 sum = 0;
        for (Counted& c : keys) {
            const qint64 bytes = knownBytes(c.key, context);
            if (bytes == 0 || last.size() == lastPeriods)
                continue;
            sum += bytes;
            last.push_back(&c);
        }
        for (Counted* c : last)
            c->united = last.size() > 1 && sum <= unitedBytes;
    }

    static qint64 knownBytes(const QByteArray& name, const ReadContext& context)
    {
        const auto* known = context.previous ? context.previous->as<PatternState>() : nullptr;
        if (!known)
            return 0;
        for (const PatternRow& row : known->rows) {
            if (row.label == rowOf(name).label)
                return row.bytes;
        }
        return 0;
    }
};

} // namespace

LK_LAYOUT(bitmap, Bitmap)

} // namespace lk
