// SPDX-License-Identifier: GPL-3.0-or-later
// Auth.js with its Upstash adapter. user:token:<identifier>:<token> contains the identifier, the
// token and its expiry as JSON. The key has no TTL: a token that is never used stays for good.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/tokens/tokenactions.h"

#include <QDateTime>

#include <algorithm>

namespace lk {

namespace {

constexpr const char* authJsPlace = "user:token:";
constexpr const char* longest = "1023"; // the last byte of the value that is read

// Returns a text member of a JSON object. Returns nothing if it is missing or cut.
std::optional<QByteArray> memberOf(const QByteArray& json, const char* name)
{
    const QByteArray start = '"' + QByteArray(name) + "\":\"";
    const qsizetype at = json.indexOf(start);
    const qsizetype from = at + start.size();
    const qsizetype end = at < 0 ? -1 : json.indexOf('"', from);
    return end < 0 ? std::nullopt : std::optional(json.mid(from, end - from));
}

std::optional<qint64> expiryMs(const QByteArray& json)
{
    const auto text = memberOf(json, "expires");
    const QDateTime at =
        text ? QDateTime::fromString(QString::fromLatin1(*text), Qt::ISODateWithMs) : QDateTime();
    return at.isValid() ? std::optional(at.toMSecsSinceEpoch()) : std::nullopt;
}

class AuthJsToken final : public PlannedLayout, public KeyHints
{
public:
    QByteArray id() const override { return QByteArrayLiteral("authjs-token"); }
    QString title() const override { return LayoutText::tr("Auth.js verification token"); }
    Kind kind() const override { return Kind::Token; }
    bool wants(KeyType type) const override { return type == KeyType::String; }
    QByteArray mainRole() const override { return QByteArrayLiteral("token"); }
    KeyType mainType() const override { return KeyType::String; }
    ActionList actions() const override
    {
        return {&actions::validateToken(), &actions::consumeToken(), &actions::revokeToken()};
    }

    // The name and the value contain the same identifier. The token may be cut off.
    std::vector<QByteArray> nameParts(KeyType) const override { return {authJsPlace}; }
    std::optional<Claim> classify(const Probe& probe) const override
    {
        const qsizetype at = probe.name.indexOf(authJsPlace);
        const auto identifier = memberOf(probe.head, "identifier");
        if (probe.type != KeyType::String || at < 0 || !identifier || !probe.head.startsWith('{'))
            return std::nullopt;
        const QByteArray rest = probe.name.mid(at + qsizetype(qstrlen(authJsPlace)));
        if (identifier->isEmpty() || !rest.startsWith(*identifier + ':'))
            return std::nullopt;
        return Claim{{id(), probe.name}, {{mainRole(), probe.name}}, 0.95};
    }

protected:
    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override
    {
        const QByteArray key = primitive.key("token");
        return commandsOf(
            probecommands::ttl(key), Command{QByteArrayLiteral("STRLEN"), key},
            Command{QByteArrayLiteral("GETRANGE"), key, QByteArrayLiteral("0"), longest});
    }

    DecodeResult read(const Primitive&, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        State& state = reading.state;
        TokenState token;
        const Ttl ttl = ttlOf(replies[0]);
        state.present = ttl.exists;
        state.ttlMs = ttl.ms;
        token.phase = ttl.exists ? TokenState::Phase::Live : TokenState::Phase::Gone;
        if (ttl.exists) {
            token.uses = 0;
            state.bytes = token.bytes = countOf(replies[1]);
            state.health = Health::Ok;
            if (const auto ends = expiryMs(replies[2].text))
                readEnd(state, *ends, context.nowMs);
        }
        state.body = std::move(token);
        return reading;
    }

private:
    static void readEnd(State& state, qint64 endsMs, qint64 nowMs)
    {
        const qint64 leftMs = endsMs - nowMs;
        // The program checks this time before it accepts the token, so it is the effective expiry.
        state.ttlMs = std::max<qint64>(0, leftMs);
        state.urgency = double(*state.ttlMs) / 1000;
        if (leftMs > 0)
            state.revisitAtMs = endsMs + 1;
        else
            state.health = Health::Warning;
        state.facts.push_back({LayoutText::tr("Expires"),
                               leftMs > 0 ? LayoutText::tr("by its value; the key has no TTL")
                                          : LayoutText::tr("has expired; the key is still there"),
                               Source::Stored});
    }
};

} // namespace

LK_LAYOUT(authJsToken, AuthJsToken)

} // namespace lk
