// SPDX-License-Identifier: GPL-3.0-or-later
// SORT ... STORE cache with an EXPIRE: a sorted list that many clients read and one rebuilds under
// a lock beside it (SETNX in the document).
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/siblingkeys.h"
#include "backend/libraries/seeds/patterns/patternreading.h"

#include "backend/core/names/namewords.h"

namespace lk {

namespace {

bool isSortName(const QByteArray& name)
{
    return hasWord(name, words<"sorted", "sort", "sortcache", "sortedcache", "presorted">);
}

// Returns the cache whose rebuild lock has that name. Empty if the name is not a lock's.
QByteArray cacheBehind(const QByteArray& name)
{
    if (name.size() > 5 && name.endsWith(":lock"))
        return name.chopped(5);
    return name.size() > 5 && name.startsWith("lock:") ? name.mid(5) : QByteArray();
}

class SortCache final : public PlannedLayout, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("sort-cache"); }
    QString title() const override { return LayoutText::tr("Cached sort"); }
    Kind kind() const override { return Kind::Pattern; }
    bool wants(KeyType type) const override
    {
        return type == KeyType::List || type == KeyType::String;
    }
    QByteArray mainRole() const override { return QByteArrayLiteral("cache"); }
    KeyType mainType() const override { return KeyType::List; }
    std::vector<ConfigField> configFields() const override
    {
        return {{"lock", FieldShape::Companion}};
    }

    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const override
    {
        if (type == KeyType::List && isSortName(name))
            return {name + ":lock", "lock:" + name};
        const QByteArray cache = type == KeyType::String ? cacheBehind(name) : QByteArray();
        return cache.isEmpty() || !isSortName(name) ? std::vector<QByteArray>()
                                                    : std::vector{cache};
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (!isSortName(probe.name))
            return std::nullopt;
        if (probe.type == KeyType::String) {
            // More certain than a lock of its own, because the list that it protects exists.
            const QByteArray cache = cacheBehind(probe.name);
            if (cache.isEmpty() || probe.sibling(cache) != KeyType::List)
                return std::nullopt;
            return claimOf(cache, probe.name);
        }
        if (probe.type != KeyType::List)
            return std::nullopt;
        for (const QByteArray& lock : {probe.name + ":lock", "lock:" + probe.name}) {
            if (probe.sibling(lock) == KeyType::String)
                return claimOf(probe.name, lock);
        }
        if (!probe.ttlMs)
            return std::nullopt;
        return Claim{{id(), probe.name}, {{mainRole(), probe.name}}, 0.7};
    }

protected:
    std::vector<Command> reads(const Primitive& primitive,
                               const ReadContext& context) const override
    {
        std::vector<Command> commands = listReads(primitive.key("cache"), ListEnd::Left, context);
        if (const QByteArray lock = primitive.key("lock"); !lock.isEmpty()) {
            commands.push_back(probecommands::ttl(lock));
            commands.push_back(probecommands::head(lock));
        }
        return commands;
    }

    DecodeResult read(const Primitive&, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        State& state = reading.state;
        ListRead list = listRead(replies, ListEnd::Left, context);
        const Ttl ttl = list.ttl;
        reading.wantsLarge = list.wantsLarge;
        reading.state.payloads = list.payloads;
        PatternState pattern = listPattern(std::move(list), PatternState::Rows::Results);
        const size_t own = listReadCount(context);
        const Ttl lock = replies.size() > own ? ttlOf(replies[own]) : Ttl();
        if (replies.size() > own) {
            pattern.values.emplace_back(QByteArrayLiteral("rebuilding"), lock.exists ? 1 : 0);
            pattern.lockLeaseMs = lock.ms;
            pattern.lockHolder = lock.exists ? fingerprintOf(replies[own + 1].text) : 0;
            pattern.lock = !lock.exists ? LockState::Phase::Free
                           : lock.ms    ? LockState::Phase::Held
                                        : LockState::Phase::NoTtl;
        }
        finalizePattern(state, std::move(pattern), ttl, context.nowMs);
        if (ttl.exists && !ttl.ms) {
            state.health = Health::Warning;
            state.facts.push_back({LayoutText::tr("Expiry"),
                                   LayoutText::tr("no TTL: it is never rebuilt"), Source::Stored});
        }
        if (lock.exists && !lock.ms) {
            // SETNX without a TTL whose client died: no client can rebuild the list.
            state.present = true;
            state.health = Health::Error;
            state.facts.push_back({LayoutText::tr("Rebuild lock"),
                                   LayoutText::tr("no TTL: nobody can rebuild the list"),
                                   Source::Stored});
        } else if (lock.exists) {
            state.present = true;
            state.health = std::max(state.health, Health::Ok);
            if (!ttl.ms || *lock.ms < *ttl.ms)
                state.revisitAtMs = context.nowMs + *lock.ms + 1;
        }
        return reading;
    }

private:
    Claim claimOf(const QByteArray& cache, const QByteArray& lock) const
    {
        return {{id(), cache}, {{mainRole(), cache}, {QByteArrayLiteral("lock"), lock}}, 0.9};
    }
};

} // namespace

LK_LAYOUT(sortCache, SortCache)

} // namespace lk
