// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/scan/probe/keyprobe.h"
#include "backend/libraries/api/primitiveread.h"

#include <QMap>
#include <QtAlgorithms>

#include <algorithm>

namespace lk {

/// The commands with which the layout's read of the primitive begins.
inline std::vector<Command> firstCommands(const QByteArray& layout, const Primitive& primitive,
                                          const ReadContext& context)
{
    return findLayout(layout)->readState(primitive, context).commands();
}

/// A keyspace in memory that answers the commands of probes and read plans the way Redis does, so
/// that layouts are tested from name to state without a server. Ends the test on any other command.
class FakeKeys
{
public:
    struct Value
    {
        KeyType type = KeyType::String;
        QByteArray text;
        std::vector<ScoredMember> members;
        std::vector<std::pair<QByteArray, QByteArray>> fields;
        std::vector<QByteArray> items;
        qint64 ttlMs = -1;
    };

    qint64 nowMs = 1795223350117;
    qint64 commands = 0; ///< answered so far

    void string(const QByteArray& key, const QByteArray& text, qint64 ttlMs = -1)
    {
        put(key, {KeyType::String, text, {}, {}, {}, ttlMs});
    }
    void zset(const QByteArray& key, std::vector<ScoredMember> members, qint64 ttlMs = -1)
    {
        std::sort(members.begin(), members.end(), [](const auto& a, const auto& b) {
            return a.score != b.score ? a.score < b.score : a.member < b.member;
        });
        put(key, {KeyType::ZSet, {}, std::move(members), {}, {}, ttlMs});
    }
    /// Marks whose members repeat their scores.
    void marks(const QByteArray& key, const std::vector<qint64>& times, qint64 ttlMs = -1)
    {
        std::vector<ScoredMember> members;
        for (const qint64 t : times)
            members.push_back({QByteArray::number(t), double(t)});
        zset(key, std::move(members), ttlMs);
    }
    void hash(const QByteArray& key, std::vector<std::pair<QByteArray, QByteArray>> fields,
              qint64 ttlMs = -1)
    {
        put(key, {KeyType::Hash, {}, {}, std::move(fields), {}, ttlMs});
    }
    /// Leftmost first.
    void list(const QByteArray& key, std::vector<QByteArray> items, qint64 ttlMs = -1)
    {
        put(key, {KeyType::List, {}, {}, {}, std::move(items), ttlMs});
    }
    void set(const QByteArray& key, std::vector<QByteArray> members)
    {
        put(key, {KeyType::Set, {}, {}, {}, std::move(members), -1});
    }
    void remove(const QByteArray& key) { m_keys.remove(key); }

    Probe probe(const QByteArray& key, const Classifier& classifier)
    {
        Probe p;
        p.name = key;
        p.nowMs = nowMs;
        p.type = typeOf(key);
        addProbeCommands(p.asked, p, {Flavour::Redis, QVersionNumber(7, 0)});
        takeAnswers(p);
        addFurtherCommands(p.asked, p, classifier);
        takeAnswers(p);
        return p;
    }

    std::optional<Classified> classify(const QByteArray& key,
                                       const Classifier& classifier = Classifier())
    {
        return classifier.classify(probe(key, classifier));
    }

    /// All keys' primitives, claims of one primitive merged.
    QMap<QByteArray, Primitive> discover(const Classifier& classifier = Classifier())
    {
        QMap<QByteArray, Primitive> found;
        for (const QByteArray& key : m_keys.keys()) {
            const auto classified = classify(key, classifier);
            if (!classified || classified->primitive.certainty() == Certainty::Possible)
                continue;
            const Primitive& one = classified->primitive;
            Primitive& merged = found[one.id.layout + ' ' + one.id.name];
            if (merged.keys.empty()) {
                merged = one;
                continue;
            }
            for (const KeyRole& role : one.keys) {
                if (std::find(merged.keys.begin(), merged.keys.end(), role) == merged.keys.end())
                    merged.keys.push_back(role);
            }
        }
        return found;
    }

    /// Plans, answers and decodes; reads again where the short plan was not enough.
    Result<State> read(const Primitive& primitive, Depth depth = Depth::Summary,
                       const State* previous = nullptr)
    {
        return read(primitive, ReadContext{nowMs, depth, false, previous});
    }
    Result<State> read(const Primitive& primitive, const ReadContext& context)
    {
        ReadRequest request;
        request.primitive = std::make_shared<Primitive>(primitive);
        if (context.previous)
            request.previous = std::make_shared<State>(*context.previous);
        request.depth = context.depth;
        request.large = context.large;
        request.payloads = context.payloads;
        request.unchanged = context.unchanged;
        PrimitiveRead read(std::move(request), context.nowMs);
        for (;;) {
            const std::vector<Command> asked = read.commands();
            std::vector<Reply> replies;
            for (const Command& command : asked)
                replies.push_back(answer(command));
            std::optional<ReadOutcome> outcome = read.take(replies, context.nowMs);
            // A value that a layout cannot decode makes a state with a problem.
            if (outcome && outcome->state.problem &&
                outcome->state.problem->code != ErrorCode::Undecodable)
                return tl::unexpected(*outcome->state.problem);
            if (outcome)
                return std::move(outcome->state);
        }
    }

    Reply answer(const Command& command);
    KeyType typeOf(const QByteArray& key) const
    {
        return m_keys.contains(key) ? m_keys[key].type : KeyType::None;
    }

private:
    void takeAnswers(Probe& probe)
    {
        for (size_t i = probe.replies.size(); i < probe.asked.size(); ++i)
            takeProbeReply(probe, probe.asked[i], answer(probe.asked[i]));
    }
    void put(const QByteArray& key, Value value) { m_keys[key] = std::move(value); }

    static Reply scored(const std::vector<ScoredMember>& members)
    {
        std::vector<Reply> items;
        for (const ScoredMember& m : members) {
            items.push_back(Reply::bulk(m.member));
            items.push_back(Reply::bulk(QByteArray::number(m.score, 'g', 17)));
        }
        return Reply::array(std::move(items));
    }

    // As ZCOUNT has it: "-inf", "5", "(5".
    static bool isWithin(double score, const QByteArray& from, const QByteArray& to)
    {
        const auto limit = [](const QByteArray& text) {
            const QByteArray number = text.startsWith('(') ? text.mid(1) : text;
            return number.endsWith("inf") ? (number.startsWith('-') ? -qInf() : qInf())
                                          : number.toDouble();
        };
        return (from.startsWith('(') ? score > limit(from) : score >= limit(from)) &&
               (to.startsWith('(') ? score < limit(to) : score <= limit(to));
    }

    template<typename T> static std::vector<T> range(std::vector<T> all, qint64 from, qint64 to)
    {
        const qint64 size = qint64(all.size());
        from = std::max<qint64>(0, from < 0 ? from + size : from);
        to = std::min(size - 1, to < 0 ? to + size : to);
        if (from > to)
            return {};
        return {all.begin() + from, all.begin() + to + 1};
    }

    QMap<QByteArray, Value> m_keys;
};

inline Reply FakeKeys::answer(const Command& command)
{
    ++commands;
    const std::vector<QByteArray>& a = command.args();
    if (!isReadOnly(command))
        qFatal("a plan writes: %s", a[0].constData());
    if (a[0] == "TIME")
        return Reply::array({Reply::bulk(QByteArray::number(nowMs / 1000)),
                             Reply::bulk(QByteArray::number(nowMs % 1000 * 1000))});
    const QByteArray& key = a[0] == "MEMORY" ? a[2] : a[1];
    const bool exists = m_keys.contains(key);
    const Value value = m_keys.value(key);
    const auto isType = [&](KeyType type) { return !exists || value.type == type; };
    const Reply wrongType =
        Reply::error("WRONGTYPE Operation against a key holding the wrong kind of value");
    const bool reversed = a[0] == "ZREVRANGE";
    if (a[0] == "TYPE")
        return Reply::status(keyTypeName(typeOf(a[1])));
    if (a[0] == "EXISTS")
        return Reply::number(exists ? 1 : 0);
    if (a[0] == "PTTL")
        return Reply::number(exists ? value.ttlMs : -2);
    if (a[0] == "GETRANGE" || a[0] == "STRLEN") {
        if (!isType(KeyType::String))
            return wrongType;
        return a[0] == "STRLEN" ? Reply::number(value.text.size())
                                : Reply::bulk(value.text.mid(a[2].toInt(), a[3].toInt() + 1));
    }
    if (a[0] == "ZRANGE" || reversed) {
        if (!isType(KeyType::ZSet))
            return wrongType;
        std::vector<ScoredMember> members = value.members;
        if (reversed)
            std::reverse(members.begin(), members.end());
        return scored(range(members, a[2].toLongLong(), a[3].toLongLong()));
    }
    if (a[0] == "ZCARD" || a[0] == "ZCOUNT" || a[0] == "ZRANGEBYSCORE") {
        if (!isType(KeyType::ZSet))
            return wrongType;
        std::vector<ScoredMember> members = value.members;
        if (a[0] != "ZCARD")
            std::erase_if(members,
                          [&](const ScoredMember& m) { return !isWithin(m.score, a[2], a[3]); });
        if (a[0] != "ZRANGEBYSCORE")
            return Reply::number(qint64(members.size()));
        return scored(range(members, a[6].toLongLong(), a[6].toLongLong() + a[7].toLongLong() - 1));
    }
    if (a[0] == "ZSCORE") {
        if (!isType(KeyType::ZSet))
            return wrongType;
        for (const ScoredMember& m : value.members) {
            if (m.member == a[2])
                return Reply::bulk(QByteArray::number(m.score, 'g', 17));
        }
        return Reply::nil();
    }
    if (a[0] == "HSTRLEN" || a[0] == "HEXISTS") {
        if (!isType(KeyType::Hash))
            return wrongType;
        for (const auto& [name, text] : value.fields) {
            if (name == a[2])
                return Reply::number(a[0] == "HEXISTS" ? 1 : text.size());
        }
        return Reply::number(0);
    }
    if (a[0] == "HLEN" || a[0] == "HMGET") {
        if (!isType(KeyType::Hash))
            return wrongType;
        if (a[0] == "HLEN")
            return Reply::number(qint64(value.fields.size()));
        std::vector<Reply> items;
        for (size_t i = 2; i < a.size(); ++i) {
            const auto it = std::find_if(value.fields.begin(), value.fields.end(),
                                         [&](const auto& f) { return f.first == a[i]; });
            items.push_back(it == value.fields.end() ? Reply::nil() : Reply::bulk(it->second));
        }
        return Reply::array(std::move(items));
    }
    if (a[0] == "HPTTL") { // HPTTL key FIELDS count field...; no field ends by itself here
        if (!isType(KeyType::Hash))
            return wrongType;
        std::vector<Reply> items;
        for (size_t i = 4; i < a.size(); ++i) {
            const bool there = std::any_of(value.fields.begin(), value.fields.end(),
                                           [&](const auto& f) { return f.first == a[i]; });
            items.push_back(Reply::number(there ? -1 : -2));
        }
        return Reply::array(std::move(items));
    }
    if (a[0] == "LLEN" || a[0] == "LRANGE") {
        if (!isType(KeyType::List))
            return wrongType;
        if (a[0] == "LLEN")
            return Reply::number(qint64(value.items.size()));
        std::vector<Reply> items;
        for (const QByteArray& item : range(value.items, a[2].toLongLong(), a[3].toLongLong()))
            items.push_back(Reply::bulk(item));
        return Reply::array(std::move(items));
    }
    if (a[0] == "PUBSUB") // no client has subscribed
        return a[1] == "NUMPAT" ? Reply::number(0) : Reply::array({});
    if (a[0] == "SISMEMBER") {
        const auto& all = value.items;
        return !isType(KeyType::Set)
                   ? wrongType
                   : Reply::number(std::find(all.begin(), all.end(), a[2]) != all.end() ? 1 : 0);
    }
    if (a[0] == "LINDEX") {
        const std::vector<QByteArray> one =
            range(value.items, a[2].toLongLong(), a[2].toLongLong());
        return !isType(KeyType::List) ? wrongType
               : one.empty()          ? Reply::nil()
                                      : Reply::bulk(one[0]);
    }
    if (a[0] == "HRANDFIELD") {
        if (!isType(KeyType::Hash))
            return wrongType;
        std::vector<Reply> items;
        for (const auto& [name, text] : value.fields) {
            if (qsizetype(items.size()) < a[2].toLongLong())
                items.push_back(Reply::bulk(name));
        }
        return Reply::array(std::move(items));
    }
    if (a[0] == "SRANDMEMBER") {
        if (!isType(KeyType::Set))
            return wrongType;
        std::vector<Reply> items;
        for (const QByteArray& member : range(value.items, 0, a[2].toLongLong() - 1))
            items.push_back(Reply::bulk(member));
        return Reply::array(std::move(items));
    }
    if (a[0] == "XINFO")
        return isType(KeyType::Stream) ? Reply::array({}) : wrongType;
    if (a[0] == "HGET") {
        if (!isType(KeyType::Hash))
            return wrongType;
        for (const auto& [field, text] : value.fields) {
            if (field == a[2])
                return Reply::bulk(text);
        }
        return Reply::nil();
    }
    if (a[0] == "HSCAN" || a[0] == "SSCAN") {
        if (!isType(a[0] == "HSCAN" ? KeyType::Hash : KeyType::Set))
            return wrongType;
        std::vector<Reply> items;
        for (const auto& [field, text] : value.fields) {
            items.push_back(Reply::bulk(field));
            items.push_back(Reply::bulk(text));
        }
        for (const QByteArray& member : value.items)
            items.push_back(Reply::bulk(member));
        return Reply::array({Reply::bulk("0"), Reply::array(std::move(items))});
    }
    if (a[0] == "SCARD")
        return isType(KeyType::Set) ? Reply::number(qint64(value.items.size())) : wrongType;
    if (a[0] == "BITCOUNT") {
        if (!isType(KeyType::String))
            return wrongType;
        qint64 bits = 0;
        for (const char c :
             value.text.mid(a[2].toLongLong(), a[3].toLongLong() - a[2].toLongLong() + 1))
            bits += qPopulationCount(quint8(c));
        return Reply::number(bits);
    }
    if (a[0] == "MEMORY") { // about what redis says for a short list
        qint64 bytes = 64;
        for (const QByteArray& item : value.items)
            bytes += item.size() + 8;
        return value.items.empty() ? Reply::nil() : Reply::number(bytes);
    }
    if (a[0] == "GET") {
        if (!isType(KeyType::String))
            return wrongType;
        return exists ? Reply::bulk(value.text) : Reply::nil();
    }
    qFatal("the fake does not know %s", a[0].constData());
}

/// A configuration out of its text; ends the test if it is refused.
inline Config configOf(const QByteArray& toml)
{
    Result<Config> config = parseConfig(toml, QStringLiteral("test.toml"));
    if (!config)
        qFatal("%s", qPrintable(config.error().detail));
    return *config;
}

} // namespace lk
