// SPDX-License-Identifier: GPL-3.0-or-later
// Symfony's Semaphore. {name}:weight contains the holders and their weights, {name}:time the ends
// of their leases. Only the program knows the limit.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/families/locks/lockactions.h"
#include "backend/libraries/families/locks/lockreading.h"

#include <algorithm>

namespace lk {

namespace {

constexpr const char* timeEnd = "}:time";
constexpr const char* weightEnd = "}:weight";

std::optional<QByteArray> nameOf(const QByteArray& key)
{
    for (const char* end : {timeEnd, weightEnd}) {
        if (key.startsWith('{') && key.endsWith(end))
            return key.mid(1, key.size() - 1 - qsizetype(qstrlen(end)));
    }
    return std::nullopt;
}

bool isToken(const QByteArray& member)
{
    return member.size() == 44 && member.endsWith('=');
}

class SymfonySemaphore final : public PlannedLayout, public KeyHints
{
public:
    QByteArray id() const override { return QByteArrayLiteral("symfony-semaphore"); }
    QString title() const override { return LayoutText::tr("Symfony semaphore"); }
    Kind kind() const override { return Kind::Lock; }
    bool wants(KeyType type) const override { return type == KeyType::ZSet; }
    QByteArray mainRole() const override { return QByteArrayLiteral("time"); }
    KeyType mainType() const override { return KeyType::ZSet; }
    std::vector<ConfigField> configFields() const override { return limitField(); }
    ActionList actions() const override { return {&actions::releaseMembers()}; }

    std::vector<QByteArray> nameParts(KeyType) const override { return {timeEnd, weightEnd}; }
    std::optional<Claim> classify(const Probe& probe) const override
    {
        const auto name = probe.type == KeyType::ZSet ? nameOf(probe.name) : std::nullopt;
        const bool tokens = !probe.members.empty() &&
                            std::all_of(probe.members.begin(), probe.members.end(),
                                        [](const ScoredMember& m) { return isToken(m.member); });
        if (!name || name->isEmpty() || !tokens)
            return std::nullopt;
        return Claim{{id(), *name}, keysOf(*name), 0.95};
    }

    Claim declared(const Declaration&, const QByteArray& name) const override
    {
        const QByteArray stem = nameOf(name).value_or(name);
        return {{id(), stem}, keysOf(stem), 1};
    }

protected:
    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override
    {
        const QByteArray most = QByteArray::number(mostLockHolders - 1);
        const QByteArray time = primitive.key("time");
        return commandsOf(probecommands::ttl(time), Command{"ZCARD", time},
                          Command{"ZREVRANGE", time, "0", most, "WITHSCORES"},
                          Command{"ZREVRANGE", primitive.key("weight"), "0", most, "WITHSCORES"});
    }

    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        LockState lock;
        lock.limit = declaredLimit(primitive);
        const std::vector<ScoredMember> weights = scoredMembersOf(replies[3]);
        std::vector<LockHolder> holders;
        for (const ScoredMember& member : scoredMembersOf(replies[2])) {
            LockHolder holder;
            holder.name = holderName(member.member);
            holder.leaseMs =
                std::max<qint64>(0, wholeMs(toMs(member.score, TimeUnit::Seconds)) - context.nowMs);
            const auto weight =
                std::find_if(weights.begin(), weights.end(),
                             [&](const ScoredMember& w) { return w.member == member.member; });
            if (weight != weights.end())
                holder.holds = qint64(weight->score);
            holders.push_back(std::move(holder));
        }
        lock.holdersTotal = countOf(replies[1]);
        finalizeHolders(lock, std::move(holders));
        finalizeLock(reading.state, std::move(lock), ttlOf(replies[0]), context.nowMs);
        return reading;
    }

private:
    static std::vector<KeyRole> keysOf(const QByteArray& name)
    {
        return {{QByteArrayLiteral("time"), '{' + name + timeEnd},
                {QByteArrayLiteral("weight"), '{' + name + weightEnd}};
    }
};

} // namespace

LK_LAYOUT(symfonySemaphore, SymfonySemaphore)

} // namespace lk
