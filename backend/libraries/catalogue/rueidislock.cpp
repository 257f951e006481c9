// SPDX-License-Identifier: GPL-3.0-or-later
// rueidislock (Go): 24 random bytes in a majority of the keys <prefix>:0:<name>, :1: and :2:.
// Client tracking notifies waiters when one of these is deleted.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/detect/valueshape.h"
#include "backend/libraries/families/locks/lockactions.h"
#include "backend/libraries/families/locks/locknames.h"
#include "backend/libraries/families/locks/lockreading.h"

#include <algorithm>
#include <array>
#include <map>

namespace lk {

namespace {

constexpr std::string_view rueidisPlace = "rueidislock:";
constexpr qsizetype tokenBytes = 24;
constexpr std::array votes{'0', '1', '2'};
constexpr qint64 majority = 2;

struct Vote
{
    QByteArray before; ///< the part before the number
    QByteArray name;   ///< the part after the number and its colon
};

std::optional<Vote> voteOf(const QByteArray& key)
{
    const qsizetype at = segmentAt(key, rueidisPlace);
    const qsizetype number = at + qsizetype(rueidisPlace.size());
    const bool isVote = at >= 0 && number + 2 < key.size() && key[number + 1] == ':' &&
                        std::find(votes.begin(), votes.end(), key[number]) != votes.end();
    return isVote ? std::optional(Vote{key.left(number), key.mid(number + 2)}) : std::nullopt;
}

class RueidisLock final : public PlannedLayout, public KeyHints
{
public:
    QByteArray id() const override { return QByteArrayLiteral("rueidislock"); }
    QString title() const override { return LayoutText::tr("rueidislock"); }
    Kind kind() const override { return Kind::Lock; }
    bool wants(KeyType type) const override { return type == KeyType::String; }
    QByteArray mainRole() const override { return QByteArrayLiteral("0"); }
    KeyType mainType() const override { return KeyType::String; }
    ActionList actions() const override { return {&actions::releaseVotes()}; }

    std::vector<QByteArray> nameParts(KeyType) const override
    {
        return {QByteArray(rueidisPlace.data(), qsizetype(rueidisPlace.size()))};
    }
    std::optional<Claim> classify(const Probe& probe) const override
    {
        const auto vote = voteOf(probe.name);
        if (probe.type != KeyType::String || !vote || !probe.ttlMs ||
            probe.head.size() != tokenBytes)
            return std::nullopt;
        return claimOf(*vote, 0.95);
    }

    Claim declared(const Declaration& declaration, const QByteArray& name) const override
    {
        const auto vote = voteOf(name);
        return vote ? claimOf(*vote, 1) : Layout::declared(declaration, name);
    }

protected:
    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override
    {
        std::vector<Command> commands;
        for (const KeyRole& key : primitive.keys) {
            commands.push_back(probecommands::head(key.key));
            commands.push_back(probecommands::ttl(key.key));
        }
        return commands;
    }

    DecodeResult read(const Primitive&, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        struct Candidate
        {
            qint64 votes = 0;
            std::optional<qint64> leastMs;
        };
        std::map<QByteArray, Candidate> candidates;
        Ttl any;
        for (size_t i = 0; i + 1 < replies.size(); i += 2) {
            const Ttl ttl = ttlOf(replies[i + 1]);
            if (!ttl.exists)
                continue;
            any.exists = true;
            if (ttl.ms)
                any.ms = std::max(any.ms.value_or(0), *ttl.ms);
            Candidate& candidate = candidates[replies[i].text];
            ++candidate.votes;
            if (ttl.ms)
                candidate.leastMs = std::min(candidate.leastMs.value_or(*ttl.ms), *ttl.ms);
        }
        DecodeResult reading;
        LockState lock;
        for (const auto& [token, candidate] : candidates) {
            if (candidate.votes < majority)
                continue;
            lock.phase = LockState::Phase::Held;
            lock.holds = 1;
            lock.leaseMs = candidate.leastMs;
            lock.owner = token.toHex();
            lock.ownerKnown = true;
        }
        if (any.exists)
            reading.state.facts.push_back(
                {LayoutText::tr("Votes"),
                 LayoutText::tr("%L1 of %L2 keys")
                     .arg(lock.ownerKnown ? candidates[QByteArray::fromHex(lock.owner)].votes : 1)
                     .arg(qint64(votes.size())),
                 Source::Stored});
        finalizeLock(reading.state, std::move(lock), any, context.nowMs);
        return reading;
    }

private:
    Claim claimOf(const Vote& vote, double confidence) const
    {
        Claim claim{{id(), vote.before + vote.name}, {}, confidence};
        for (const char number : votes)
            claim.keys.push_back({QByteArray(1, number), vote.before + number + ':' + vote.name});
        claim.label = vote.name;
        return claim;
    }
};

} // namespace

LK_LAYOUT(rueidisLock, RueidisLock)

} // namespace lk
