// SPDX-License-Identifier: GPL-3.0-or-later
// SETEX token:<random> seconds payload, consumed by GET and DEL. The key exists while it is unused.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/namehints.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/detect/siblingkeys.h"
#include "backend/libraries/detect/valueshape.h"
#include "backend/libraries/detect/wordlists.h"
#include "backend/libraries/families/tokens/tokenactions.h"
#include "backend/libraries/families/tokens/tokenreading.h"

#include "backend/core/names/namewords.h"

#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 longestCodeMs = 2 * 3600 * 1000;

// Names of secrets that are used once, whatever follows the word.
bool isStrictName(const QByteArray& name)
{
    return hasWord(name, wordsIn<"certain-one-time-codes">()) ||
           (hasWord(name, words<"password", "passwd", "pw", "pwd">) &&
            hasWord(name, words<"reset">)) ||
           (hasWord(name, words<"email", "mail", "phone", "sms", "account">) &&
            hasWord(name, words<"verify", "verification", "confirm", "confirmation">)) ||
           (hasWord(name, words<"oauth", "oauth2", "oidc", "sso", "saml">) &&
            hasWord(name, words<"state", "verifier", "challenge">));
}

// Words for secrets that are used once, and for other things that a number or name identifies.
bool isOneTimeName(const QByteArray& name)
{
    return isStrictName(name) || hasWord(name, wordsIn<"one-time-purposes">());
}

// Words that also stand for postal codes, prices of coins and seats in a theatre.
bool stringTokenIsTokenName(const QByteArray& name)
{
    return hasWord(name, wordsIn<"codes">());
}

bool isCodeName(const QByteArray& name)
{
    return hasWord(name, words<"token", "tokens", "code", "codes">);
}

// Whether the name has one of the words above. Almost no key does, which saves the other checks.
bool mentionsToken(const QByteArray& name)
{
    return hasWord(name, wordsIn<"token-mentions">());
}

// Names under which a token may stay for good.
bool mayLast(const QByteArray& name)
{
    return hasWord(name, words<"invite", "invitation", "token", "tokens">);
}

// Names of keys whose presence means that a token was used, or that count or limit something.
bool isGuard(const QByteArray& name)
{
    return hasWord(name, wordsIn<"token-guards">());
}

// Codes of places, goods, languages and answers; tokens that are coins.
bool namedOtherwise(const QByteArray& name)
{
    return hasWord(name, wordsIn<"not-one-time-codes">());
}

// Names of data that is kept, for example for a session.
bool isKept(const QByteArray& name)
{
    return hasWord(name, wordsIn<"lasting-tokens">());
}

// A code that a user types in, under a telephone number or an e-mail. The value is the secret.
bool isCodeSent(const Probe& probe)
{
    const auto isContact = [](QByteArrayView part) {
        return (part.contains('@') && part.size() >= 5) ||
               (part.size() >= 9 && part.size() <= 16 && isIdentity(part) && !isRandomText(part));
    };
    return probe.ttlMs && *probe.ttlMs <= longestCodeMs && isTypedCode(probe.head) &&
           (isContact(tailOf(probe.name)) || anyPart(probe.name, isContact));
}

// Whether the value is a secret itself: a code, or text that no user would choose.
bool isSecretValue(const QByteArray& value)
{
    const auto isPlain = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               c == '-' || c == '_' || c == '=';
    };
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    return value.size() >= 4 && value.size() <= 100 &&
           std::all_of(value.begin(), value.end(), isPlain) &&
           std::any_of(value.begin(), value.end(), isDigit) &&
           (isTypedCode(value) || isRandomText(value) ||
            !std::all_of(value.begin(), value.end(), isDigit));
}

// Returns the code's key if the name is that of its counter of attempts. Empty otherwise.
QByteArray codeOfAttempts(const QByteArray& name)
{
    if (!name.endsWith('s') && !name.endsWith('t')) // called for every string
        return {};
    for (const char* ending : {":attempts", ":attempt", ":tries", ":failures"}) {
        if (!name.endsWith(ending))
            continue;
        const QByteArray code = name.chopped(qsizetype(qstrlen(ending)));
        return isStrictName(code) && namesIdentity(code) && !isGuard(code) ? code : QByteArray();
    }
    return {};
}

// Whether the name ends in the code: five to eight digits.
bool isNumberedCode(const QByteArray& name, QByteArrayView tail)
{
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    return hasWord(name, words<"otp", "onetime", "invite", "invitation", "passcode">) &&
           tail.size() >= 5 && tail.size() <= 8 && std::all_of(tail.begin(), tail.end(), isDigit);
}

// Whether the value is the code and the name ends in the id of its user. If the end of the name is
// as long as a code and the value is no longer, it may be the other way around.
bool isCodeOfId(const Probe& probe, QByteArrayView tail)
{
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    const auto isAlnum = [&](char c) {
        return isDigit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    };
    const QByteArray& value = probe.head;
    const bool isCode = value.size() >= 4 && value.size() <= 8 &&
                        std::all_of(value.begin(), value.end(), isAlnum) &&
                        std::any_of(value.begin(), value.end(), isDigit);
    if (!isCode || !probe.ttlMs || *probe.ttlMs > longestCodeMs || isRandomText(tail))
        return false;
    if (!std::all_of(tail.begin(), tail.end(), isDigit))
        return tail.contains('@') || tail.startsWith('+') || // else a name, as people are called
               (tail.size() < 16 && std::none_of(tail.begin(), tail.end(), isDigit));
    const bool asCodesAre = tail.size() >= 4 && tail.size() <= 8;
    return !asCodesAre || tail.size() < value.size();
}

// Whether the name's tail or the value is a secret that is used once.
bool isProven(const Probe& probe, QByteArrayView tail, bool random)
{
    const QByteArray& name = probe.name;
    if (isCodeSent(probe) || isNumberedCode(name, tail))
        return true;
    // A word such as "pending" is a status.
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const bool word = std::all_of(probe.head.begin(), probe.head.end(), isLetter);
    if (isStrictName(name) &&
        (random || (namesIdentity(name) && !word) || isRandomText(probe.head)))
        return true;
    const bool oneTime = isOneTimeName(name);
    return (random && (oneTime || isCodeName(name))) ||
           (oneTime && namesIdentity(name) && isSecretValue(probe.head));
}

constexpr char attemptsRole[] = "attempts";

class StringToken final : public PlannedLayout, public SiblingKeys
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

    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const override
    {
        const QByteArray code = type == KeyType::String ? codeOfAttempts(name) : QByteArray();
        return code.isEmpty() ? std::vector<QByteArray>() : std::vector{code};
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (const QByteArray code = codeOfAttempts(probe.name); !code.isEmpty()) {
            const bool counts = probe.type == KeyType::String && wholeNumber(probe.head) &&
                                probe.sibling(code) == KeyType::String;
            if (!counts)
                return std::nullopt;
            return Claim{{id(), code},
                         {{mainRole(), code, true}, {attemptsRole, probe.name}},
                         0.7,
                         {},
                         Doubt::NameOnly};
        }
        if (probe.type != KeyType::String || !mentionsToken(probe.name))
            return std::nullopt;
        if ((!isOneTimeName(probe.name) && !stringTokenIsTokenName(probe.name)) ||
            isGuard(probe.name))
            return std::nullopt;
        const QByteArrayView tail = tailOf(probe.name);
        if (tail.size() == probe.name.size())
            return std::nullopt;
        const bool other =
            namedOtherwise(probe.name) || (!isStrictName(probe.name) && isKept(probe.name));
        const bool random = isRandomText(tail) && !tail.startsWith("0x");
        Claim claim{{id(), probe.name}, {{mainRole(), probe.name}}, 0, {}, Doubt::NameOnly};
        if (other)
            claim.doubt = Doubt::OtherWords;
        else if (!probe.ttlMs)
            claim.doubt = Doubt::NoTtl;
        claim.openName = isStrictName(probe.name) && isCodeOfId(probe, tail);
        if (claim.openName || isProven(probe, tail, random))
            claim.confidence = other                            ? 0.4
                               : probe.ttlMs                    ? 0.7
                               : random && !mayLast(probe.name) ? 0.5
                                                                : 0.4;
        else if (!other && probe.ttlMs && (random || (looksOpaque(tail) && isCodeName(probe.name))))
            claim.confidence = 0.4;
        return claim.confidence > 0 ? std::optional(std::move(claim)) : std::nullopt;
    }

    ActionList actions() const override
    {
        return {&actions::issueToken(), &actions::validateToken(), &actions::extendToken(),
                &actions::consumeToken(), &actions::revokeToken()};
    }

protected:
    std::vector<Command> reads(const Primitive& primitive,
                               const ReadContext& context) const override
    {
        std::vector<Command> commands = stringTokenReads(primitive.key("token"), context);
        if (const QByteArray attempts = primitive.key(attemptsRole); !attempts.isEmpty())
            commands.push_back(probecommands::head(attempts));
        return commands;
    }

    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        const bool counted = !primitive.key(attemptsRole).isEmpty();
        DecodeResult reading;
        reading.state =
            stringTokenState(replies.first(replies.size() - (counted ? 1 : 0)), context);
        if (const auto attempts = counted ? wholeNumber(replies.back().text) : std::nullopt)
            reading.state.facts.push_back(
                {LayoutText::tr("Attempts"), QLocale().toString(*attempts), Source::Stored});
        return reading;
    }
};

} // namespace

LK_LAYOUT(stringToken, StringToken)

} // namespace lk
