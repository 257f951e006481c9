// SPDX-License-Identifier: GPL-3.0-or-later
// A hash with the token's data and a counter of its uses: HINCRBY used_by 1. Only the client that
// gets 1 may use the token. Using an expired token creates a new hash that contains only the
// counter and has no TTL: a token that was never issued.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/namehints.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/detect/wordlists.h"
#include "backend/libraries/families/tokens/tokenactions.h"
#include "backend/libraries/families/tokens/tokenreading.h"

#include "backend/core/names/namewords.h"

#include <algorithm>

namespace lk {

namespace {

constexpr const char* useFields[] = {"used_by", "uses", "used", "used_at", "consumed"};

const std::vector<QByteArray>& tokenFields()
{
    static const std::vector<QByteArray> fields{std::begin(useFields), std::end(useFields)};
    return fields;
}

// Vouchers and coupons also have a use count, but allow many uses.
bool hashTokenIsTokenName(const QByteArray& name)
{
    return hasWord(name, wordsIn<"hash-tokens">()) && !hasWord(name, wordsIn<"promotion-codes">());
}

// "used_by" may be the user instead of the number of uses: if it is not a number, if it is large
// under a name without a word for tokens, or if the record has other fields ending in "_by".
bool mayBeUser(const Probe& probe, const QByteArray& usedBy, bool named)
{
    constexpr qint64 mostUses = 10;
    const std::optional<qint64> uses = wholeNumber(usedBy);
    return !uses || (!named && *uses > mostUses) ||
           std::any_of(
               probe.fieldNames.begin(), probe.fieldNames.end(),
               [](const QByteArray& field) { return field != "used_by" && field.endsWith("_by"); });
}

class HashToken final : public PlannedLayout
{
public:
    QByteArray id() const override { return QByteArrayLiteral("hash-token"); }
    QString title() const override { return LayoutText::tr("One-time token with a use count"); }
    Kind kind() const override { return Kind::Token; }
    bool wants(KeyType type) const override { return type == KeyType::Hash; }
    QByteArray mainRole() const override { return QByteArrayLiteral("token"); }
    KeyType mainType() const override { return KeyType::Hash; }
    bool isPlainest(KeyType type) const override { return type == KeyType::Hash; }
    std::vector<QByteArray> hashFields() const override { return tokenFields(); }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (probe.type != KeyType::Hash)
            return std::nullopt;
        const QByteArray* counter = probe.field("used_by");
        const auto isUse = [&](const char* field) { return probe.field(field) != nullptr; };
        const bool flagged = std::any_of(std::begin(useFields), std::end(useFields), isUse);
        if (!flagged)
            return std::nullopt;
        const bool named = hashTokenIsTokenName(probe.name);
        const bool random = isRandomText(tailOf(probe.name));
        const bool counts = counter && wholeNumber(*counter);
        Claim claim{{id(), probe.name}, {{mainRole(), probe.name}}, 0, {}, Doubt::NameOnly};
        if (counter && mayBeUser(probe, *counter, named))
            claim.confidence = named ? 0.4 : 0.3;
        else if (counter && named)
            claim.confidence = random ? 0.9 : 0.85;
        else if (named && random)
            claim.confidence = 0.6;
        else if (counts && (random || probe.length == 1)) // counter alone: used when expired
            claim.confidence = 0.6;
        else if (named || counts)
            claim.confidence = 0.4;
        if (!named)
            claim.doubt = Doubt::ValueOnly;
        return claim.confidence > 0 ? std::optional(std::move(claim)) : std::nullopt;
    }

    ActionList actions() const override
    {
        return {&actions::issueToken(),   &actions::validateToken(), &actions::extendToken(),
                &actions::consumeToken(), &actions::revokeToken(),   &actions::removeNeverIssued()};
    }

protected:
    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override
    {
        return hashTokenReads(primitive.key("token"), tokenFields());
    }

    DecodeResult read(const Primitive&, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        reading.state = hashTokenState(replies, tokenFields(), context);
        return reading;
    }
};

} // namespace

LK_LAYOUT(hashToken, HashToken)

} // namespace lk
