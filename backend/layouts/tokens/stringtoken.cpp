// SPDX-License-Identifier: GPL-3.0-or-later
// SETEX token:<random> seconds payload, consumed by GET and DEL: there while unused.
#include "backend/layouts/plannedlayout.h"
#include "backend/layouts/replyvalues.h"
#include "backend/layouts/valueshape.h"

#include "backend/core/keyname.h"

namespace lk {

namespace {

bool isTokenName(const QByteArray& name)
{
    return hasWord(name, {"token", "tokens", "code", "codes", "otp", "verify", "verification",
                          "reset", "magic", "magiclink", "invite", "invitation", "activation",
                          "activate", "confirm", "confirmation", "ticket", "onetime", "voucher"});
}

// Present means used there, or the key counts or limits something.
bool namedOtherwise(const QByteArray& name)
{
    return hasWord(name, {"used",    "revoked", "blacklist", "blacklisted", "denylist", "blocklist",
                          "blocked", "nonce",   "attempts",  "attempt",     "count",    "counter",
                          "limit",   "limiter", "rate",      "ratelimit",   "throttle", "bucket",
                          "lock",    "mutex",   "lease",     "cooldown",    "gate",     "debounce",
                          "status",  "stats",   "index"});
}

// The last part after ':' (or whatever stands last) is the secret; an identity will do.
QByteArray tailOf(const QByteArray& name)
{
    const qsizetype colon = name.lastIndexOf(':');
    return colon >= 0 ? name.mid(colon + 1) : name.mid(lastSegment(name));
}

class StringToken final : public PlannedLayout
{
public:
    QByteArray id() const override { return QByteArrayLiteral("string-token"); }
    QString title() const override { return LayoutText::tr("One-time token"); }
    Kind kind() const override { return Kind::Token; }
    bool wants(KeyType type) const override { return type == KeyType::String; }
    QByteArray mainRole() const override { return QByteArrayLiteral("token"); }
    KeyType mainType() const override { return KeyType::String; }
    QString exampleDeclaration() const override
    {
        return QStringLiteral("[[token]]\n"
                              "key = \"invite:*\"\n"
                              "layout = \"string-token\"\n"
                              "max_ttl = \"24h\"");
    }
    bool isPlainest(KeyType type) const override
    {
        return type == KeyType::String || type == KeyType::None;
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        const QByteArray tail = tailOf(probe.name);
        if (probe.type != KeyType::String || tail.size() == probe.name.size() ||
            !isTokenName(probe.name) || namedOtherwise(probe.name) || !looksOpaque(tail))
            return std::nullopt;
        // Without a TTL only a tail that nobody would number or name so.
        if (!probe.ttlMs && tail.size() < 6)
            return std::nullopt;
        return Claim{{id(), probe.name}, {{mainRole(), probe.name}}, probe.ttlMs ? 0.7 : 0.55};
    }

    std::vector<QByteArray> actions() const override
    {
        return {"token.issue", "token.validate", "token.extend", "token.consume", "token.revoke"};
    }

protected:
    // The payload is never asked for: that it is there is all there is to know, and its size.
    std::vector<Command> reads(const Primitive& primitive,
                               const ReadContext& context) const override
    {
        const QByteArray key = primitive.key("token");
        std::vector<Command> commands{probecommands::ttl(key)};
        if (context.depth == Depth::Detail)
            commands.push_back({QByteArrayLiteral("STRLEN"), key});
        return commands;
    }

    DecodeResult read(const Primitive&, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        State& state = reading.state;
        const Ttl ttl = ttlOf(replies[0]);
        TokenState token;
        state.present = ttl.exists;
        state.ttlMs = ttl.ms;
        token.phase = ttl.exists ? TokenState::Phase::Live : TokenState::Phase::Gone;
        if (ttl.exists)
            token.uses = 0;
        if (ttl.exists && replies.size() > 1)
            state.bytes = token.bytes = countOf(replies[1]);
        else if (ttl.exists && context.previous && context.previous->present)
            state.bytes = context.previous->bytes; // as it was at the last full look
        if (ttl.exists)
            state.health = ttl.ms ? Health::Ok : Health::Watch;
        if (ttl.ms) {
            state.urgency = double(*ttl.ms) / 1000;
            state.revisitAtMs = context.nowMs + *ttl.ms + 1;
        }
        state.body = std::move(token);
        return reading;
    }
};

} // namespace

namespace layouts {
const Layout& stringToken()
{
    static const StringToken layout;
    return layout;
}
} // namespace layouts

} // namespace lk
