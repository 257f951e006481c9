// SPDX-License-Identifier: GPL-3.0-or-later
// ZRANGEBYSCORE weights RAND() +inf LIMIT 0 1 draws a random member. The first member whose score
// is not below the random number wins. So the scores are cumulative weights, and a member's chance
// is its score minus the score below it. The largest score is the total: 1 for a RAND() from 0
// to 1.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/wordlists.h"
#include "backend/libraries/seeds/patterns/patternreading.h"

#include "backend/core/names/namewords.h"
#include "backend/libraries/families/marks.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

constexpr int membersRead = 64;

bool isWeightName(const QByteArray& name)
{
    return hasWord(name, wordsIn<"weights">());
}

Command lowest64(const QByteArray& key)
{
    return {QByteArrayLiteral("ZRANGE"), key, "0", QByteArray::number(membersRead - 1),
            QByteArrayLiteral("WITHSCORES")};
}

class WeightedSet final : public PlannedLayout
{
public:
    QByteArray id() const override { return QByteArrayLiteral("weighted-set"); }
    QString title() const override { return LayoutText::tr("Weighted set"); }
    Kind kind() const override { return Kind::Pattern; }
    bool wants(KeyType type) const override { return type == KeyType::ZSet; }
    QByteArray mainRole() const override { return QByteArrayLiteral("weights"); }
    KeyType mainType() const override { return KeyType::ZSet; }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (probe.type != KeyType::ZSet || probe.members.empty() || !isWeightName(probe.name) ||
            sharedTimeUnit(probe.members))
            return std::nullopt;
        const bool weights =
            std::all_of(probe.members.begin(), probe.members.end(), [](const ScoredMember& m) {
                return std::isfinite(m.score) && m.score >= 0;
            });
        if (!weights || probe.members.back().score <= 0)
            return std::nullopt;
        // Raffles and odds also store tickets and prices under these words.
        const bool named =
            hasWord(probe.name, words<"weight", "weights", "weighted", "chances", "probability",
                                      "probabilities", "markov">) &&
            !hasWord(probe.name, words<"user", "users", "body", "history", "kg", "lb", "lbs">);
        const bool cumulative = std::abs(probe.members.back().score - 1) < 1e-9;
        return Claim{
            {id(), probe.name}, {{mainRole(), probe.name}}, named || cumulative ? 0.7 : 0.4};
    }

protected:
    // The lowest members of a small set are the complete set. The last score is the total of a
    // larger one.
    std::vector<Command> reads(const Primitive& primitive,
                               const ReadContext& context) const override
    {
        const QByteArray key = primitive.key("weights");
        return {context.depth == Depth::Detail ? lowest64(key) : probecommands::lowestMembers(key),
                {QByteArrayLiteral("ZRANGE"), key, "-1", "-1", QByteArrayLiteral("WITHSCORES")},
                {QByteArrayLiteral("ZCARD"), key},
                probecommands::ttl(key)};
    }

    DecodeResult read(const Primitive&, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        const std::vector<ScoredMember> members = scoredMembersOf(replies[0]);
        const std::vector<ScoredMember> last = scoredMembersOf(replies[1]);
        const double whole = last.empty() ? 0 : last.front().score;
        const qint64 count = countOf(replies[2]);
        PatternState pattern;
        pattern.values = {{QByteArrayLiteral("members"), double(count)},
                          {QByteArrayLiteral("total"), whole}};
        pattern.rowsAre = PatternState::Rows::Weights;
        pattern.rowsTruncated = qint64(members.size()) < count;
        double below = 0;
        for (const ScoredMember& m : members) {
            const double chance = whole > 0 ? std::max(0.0, m.score - below) / whole : qQNaN();
            pattern.rows.push_back(
                rowOf(m.member, std::isfinite(chance) ? std::optional(chance) : std::nullopt));
            below = std::max(below, m.score);
        }
        const Ttl ttl = ttlOf(replies[3]);
        finalizePattern(reading.state, std::move(pattern), ttl, context.nowMs);
        if (ttl.exists)
            judgeWhole(reading.state, whole);
        return reading;
    }

private:
    // The document's RAND() returns 0 to 1. If the total is below 1, a draw may find no member. If
    // it is above 1, the members beyond 1 are never drawn. A caller may draw up to the total, so
    // this is a fact and not a warning.
    static void judgeWhole(State& state, double whole)
    {
        constexpr double rounding = 1e-9;
        if (std::abs(whole - 1) > rounding)
            state.facts.push_back(
                {LayoutText::tr("Draw from"),
                 LayoutText::tr("0 to %1, not 0 to 1").arg(QLocale().toString(whole)),
                 Source::Inferred});
    }
};

} // namespace

LK_LAYOUT(weightedSet, WeightedSet)

} // namespace lk
