// SPDX-License-Identifier: GPL-3.0-or-later
// A hash with the token's data and a counter of its uses: HINCRBY used_by 1, and only who gets 1
// has it. Using an expired token makes a hash anew with the counter alone and no
// TTL: a token that was never issued.
#include "backend/layouts/names/namehints.h"
#include "backend/layouts/plannedlayout.h"
#include "backend/layouts/probe/replyvalues.h"

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

// Vouchers and coupons have a use count, too: of many uses.
bool hashTokenIsTokenName(const QByteArray& name)
{
    return hasWord(name, words<"token", "tokens", "code", "codes", "otp", "verify", "verification",
                               "reset", "pwreset", "magic", "invite", "invitation", "activation",
                               "confirm", "onetime">) &&
           !hasWord(name, words<"promo", "promotion", "coupon", "voucher", "discount", "gift",
                                "campaign", "referral", "access", "refresh", "api", "llm", "usage",
                                "postal", "price", "coin">);
}

struct Uses
{
    bool used = false;
    std::optional<qint64> count;
};

// A number counts; "used_at" is a time, and anything else that is not a "no" means used.
Uses usesOf(const char* field, const QByteArray& value)
{
    const auto number = wholeNumber(value);
    const bool isTime = qstrcmp(field, "used_at") == 0;
    if (number && !isTime)
        return {*number > 0, std::max<qint64>(0, *number)};
    const QByteArray word = value.toLower();
    const bool no = word.isEmpty() || word == "0" || word == "false" || word == "no" ||
                    word == "nil" || word == "null";
    if (no)
        return {false, 0};
    return {true, std::nullopt};
}

// "used_by" may tell who used it instead of how often: what is no number, a large one under a name
// that says nothing of tokens, and one of a record that tells who did what else.
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
        else if (counts && (random || probe.length == 1)) // alone: used after it had expired
            claim.confidence = 0.6;
        else if (named || counts)
            claim.confidence = 0.4;
        if (!named)
            claim.doubt = Doubt::ValueOnly;
        return claim.confidence > 0 ? std::optional(std::move(claim)) : std::nullopt;
    }

    std::vector<QByteArray> actions() const override
    {
        return {"token.issue",   "token.validate", "token.extend",
                "token.consume", "token.revoke",   "token.cleanup"};
    }

protected:
    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override
    {
        using probecommands::ttl;
        const QByteArray key = primitive.key("token");
        return commandsOf(probecommands::hashLength(key),
                          probecommands::hashFields(key, tokenFields()), ttl(key));
    }

    DecodeResult read(const Primitive&, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        State& state = reading.state;
        const Ttl ttl = ttlOf(replies[2]);
        state.present = ttl.exists;
        state.ttlMs = ttl.ms;
        TokenState token;
        token.phase = ttl.exists ? TokenState::Phase::Live : TokenState::Phase::Gone;
        if (ttl.exists)
            readUses(state, token, replies[1], countOf(replies[0]));
        if (ttl.ms) {
            state.urgency = double(*ttl.ms) / 1000;
            state.revisitAtMs = context.nowMs + *ttl.ms + 1;
        }
        state.body = std::move(token);
        return reading;
    }

private:
    static void readUses(State& state, TokenState& token, const Reply& fields, qint64 length)
    {
        Uses uses{false, 0};
        for (const char* field : useFields) {
            if (const auto value = fieldOf(fields, tokenFields(), field)) {
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
};

} // namespace

namespace layouts {
const Layout& hashToken()
{
    static const HashToken layout;
    return layout;
}
} // namespace layouts

} // namespace lk
