// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/names/namewords.h"
#include "backend/core/redactedname.h"
#include "backend/findings/rules.h"
#include "backend/text/time/duration.h"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <map>

namespace lk {

namespace {

using TokenPhase = TokenState::Phase;
using Severity = Finding::Severity;

constexpr size_t fewestInARow = 4; // codes that a sequence has to have
constexpr double sparse = 1000;    // how much larger than their range what they are drawn from is
constexpr qsizetype longestNumber = 15;

Seen tokenWithoutTtl(const State& s, const CheckThresholds&)
{
    const auto* token = s.as<TokenState>();
    if (!token || !s.present || s.ttlMs || token->phase == TokenPhase::NeverIssued)
        return {};
    return RuleMatch{
        FindingText::tr("The token has no TTL: it is valid until it is used."), {}, {}, {}, {}};
}

Seen neverIssued(const State& s, const CheckThresholds&)
{
    const auto* token = s.as<TokenState>();
    if (!token || token->phase != TokenPhase::NeverIssued)
        return {};
    const QString uses =
        token->uses ? QLocale().toString(*token->uses) : FindingText::tr("unknown");
    return RuleMatch{
        FindingText::tr("Only a use count exists (%1): there is no token with this code.")
            .arg(uses),
        {},
        {},
        {},
        {}};
}

Seen usedTwice(const State& s, const CheckThresholds&)
{
    const auto* token = s.as<TokenState>();
    if (!token || token->uses.value_or(0) < 2)
        return {};
    return RuleMatch{
        FindingText::tr("The token was presented %1 times.").arg(QLocale().toString(*token->uses)),
        {},
        {},
        {},
        {}};
}

Seen ttlTooLong(const State& s, const CheckThresholds& t)
{
    if (!s.as<TokenState>() || !s.ttlMs)
        return {};
    const Declaration* d = s.primitive->declaration.get();
    const bool declared = d && d->maxTtlMs;
    const qint64 longest = declared ? *d->maxTtlMs : t.tokenTtlMs;
    if (*s.ttlMs <= longest)
        return {};
    const QString text =
        declared ? FindingText::tr("The token expires in %1; at most %2 is declared.")
                 : FindingText::tr("The token expires in %1, more than %2 from now: were "
                                   "milliseconds used instead of seconds?");
    return RuleMatch{text.arg(formatDuration(*s.ttlMs), formatDuration(longest)), {}, {}, {}, {}};
}

constexpr StateRule tokenRuleTable[] = {
    {{"token-without-ttl", Severity::Warning, "key.ttl",
      QT_TRANSLATE_NOOP("lk::Finding", "Anyone who finds the code in an old email can still use "
                                       "it, and unused tokens stay forever."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Set a TTL; issue with SET ... PX, or in MULTI, so that no token is left "
                        "without one.")},
     tokenWithoutTtl},
    {{"ghost-token", Severity::Error, "token.cleanup",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "The code was used after it had expired, or was never issued: HINCRBY "
                        "created the key, without a TTL, and code that checks for the first use "
                        "accepts it."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Clean it up; redeem with a script that first checks that the token "
                        "exists.")},
     neverIssued},
    {{"token-used-twice", Severity::Warning, "token.revoke",
      QT_TRANSLATE_NOOP("lk::Finding", "A client retries, or someone else has the token."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Check that only the first use was accepted; revoke the token.")},
     usedTwice},
    {{"token-ttl-too-long", Severity::Warning, "key.ttl",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "SETEX and EXPIRE take seconds: an hour in milliseconds is 41 days, "
                        "during which a stolen token is valid."),
      QT_TRANSLATE_NOOP("lk::Finding", "Set its TTL; use PX or PSETEX for milliseconds.")},
     ttlTooLong},
};

// "otp:user:17", "sms:code:+49151...": the value is the secret, and the key names its owner.
bool isPerson(QByteArrayView begin, QByteArrayView code)
{
    while (!begin.isEmpty() && isNameSeparator(begin.back()))
        begin.chop(1);
    const auto separator = std::find_if(begin.rbegin(), begin.rend(), isNameSeparator);
    const QByteArrayView word = begin.sliced(begin.rend() - separator);
    return code.startsWith('+') || code.contains('@') ||
           hasWord(word, words<"user", "users", "uid", "userid", "username", "account", "member",
                               "customer", "email", "mail", "phone", "mobile", "login">);
}

// Where the code of such a token begins in its key; nothing for what says nothing of codes.
std::optional<qsizetype> startOf(const State& state)
{
    const auto* token = state.as<TokenState>();
    // Anyone can make up the name of a token that was never issued: it proves nothing about others.
    if (!token || state.problem || token->phase == TokenPhase::NeverIssued || !state.present ||
        state.primitive->openName)
        return std::nullopt;
    const QByteArray& key = state.primitive->keys.front().key;
    const qsizetype at = codeStart(key);
    const QByteArrayView name = key;
    const bool hasCode = at > 0 && at < key.size() && !isPerson(name.first(at), name.sliced(at));
    return hasCode ? std::optional(at) : std::nullopt;
}

// Codes that are told apart by their last part alone, by what stands before it.
template<typename Family> class Families
{
public:
    // Null where the state is none of them.
    Family* take(const State& state, QByteArrayView& code)
    {
        const std::optional<qsizetype> at = startOf(state);
        if (!at)
            return nullptr;
        const QByteArray& key = state.primitive->keys.front().key;
        const QByteArrayView begin = QByteArrayView(key).first(*at);
        auto it = m_all.find(begin);
        if (it == m_all.end())
            it = m_all.emplace(begin.toByteArray(), Family()).first;
        code = QByteArrayView(key).sliced(*at);
        ++it->second.codes;
        if (it->second.key < key)
            it->second.key = key;
        return &it->second;
    }

    const std::map<QByteArray, Family, std::less<>>& all() const { return m_all; }

private:
    std::map<QByteArray, Family, std::less<>> m_all;
};

RuleMatch matchOf(const QByteArray& begin, const QByteArray& key, QString message)
{
    return {std::move(message), key, begin + '*', {}, {}, Kind::Token, true};
}

class CodesShort final : public CrossStateJudge
{
public:
    CodesShort(const ServerFacts&, const CheckThresholds& thresholds)
        : m_leastBits(thresholds.codeBits)
    {}

    void take(const State& state) override
    {
        QByteArrayView code;
        Family* family = m_families.take(state, code);
        if (!family)
            return;
        family->longest = std::max(family->longest, code.size());
        for (const char c : code) {
            const bool isLower = c >= 'a' && c <= 'z';
            family->digits |= c >= '0' && c <= '9';
            family->lowerHex |= isLower && c <= 'f';
            family->lower |= isLower && c > 'f';
            family->upper |= c >= 'A' && c <= 'Z';
            family->other |= !isLower && !(c >= '0' && c <= '9') && !(c >= 'A' && c <= 'Z');
        }
    }

    std::vector<RuleMatch> matches(const ScanCounts&) override
    {
        std::vector<RuleMatch> found;
        for (const auto& [begin, family] : m_families.all()) {
            const int bits = int(std::ceil(double(family.longest) * std::log2(family.alphabet())));
            if (bits < m_leastBits)
                found.push_back(matchOf(
                    begin, family.key,
                    FindingText::tr("Codes with at most %1 characters, %2 bits or less: %3.")
                        .arg(QLocale().toString(family.longest), QLocale().toString(bits),
                             QLocale().toString(family.codes))));
        }
        return found;
    }

private:
    struct Family
    {
        qint64 codes = 0;
        QByteArray key; ///< the last of them by name
        qsizetype longest = 0;
        bool digits = false;
        bool lowerHex = false;
        bool lower = false;
        bool upper = false;
        bool other = false;

        // Returns the largest number of different characters in such codes: an upper bound of their
        // randomness.
        int alphabet() const
        {
            return (digits ? 10 : 0) +
                   (lower      ? 26
                    : lowerHex ? 6
                               : 0) +
                   (upper ? 26 : 0) + (other ? 4 : 0);
        }
    };

    const int m_leastBits;
    Families<Family> m_families;
};

// Drawn at random from all numbers of that many digits they would lie a thousand times further
// apart.
class CodesSequential final : public CrossStateJudge
{
public:
    CodesSequential(const ServerFacts&, const CheckThresholds&) {}

    void take(const State& state) override
    {
        QByteArrayView code;
        Family* family = m_families.take(state, code);
        if (!family || !family->numbers)
            return;
        bool isNumber = false;
        const qint64 n = code.toLongLong(&isNumber);
        if (!isNumber || n < 0 || code.size() > longestNumber) {
            family->numbers.reset(); // one that is none, and they are none
            return;
        }
        family->digits = std::max(family->digits, code.size());
        family->numbers->push_back(n);
    }

    std::vector<RuleMatch> matches(const ScanCounts&) override
    {
        std::vector<RuleMatch> found;
        for (const auto& [begin, family] : m_families.all()) {
            if (!family.numbers || family.numbers->size() < fewestInARow)
                continue;
            const auto [least, most] =
                std::minmax_element(family.numbers->begin(), family.numbers->end());
            const auto count = double(family.numbers->size());
            const double range = double(*most - *least) + 1;
            if (range > count * 4 || range * sparse > std::pow(10, double(family.digits)))
                continue;
            found.push_back(matchOf(begin, family.key,
                                    FindingText::tr("%1 codes are within %2 of each other.")
                                        .arg(QLocale().toString(qint64(family.numbers->size())),
                                             QLocale().toString(qint64(range)))));
        }
        return found;
    }

private:
    struct Family
    {
        qint64 codes = 0;
        QByteArray key; ///< the last of them by name
        qsizetype digits = 0;
        std::optional<std::vector<qint64>> numbers{std::in_place}; ///< empty: one is none
    };

    Families<Family> m_families;
};

constexpr SnapshotRule tokenSnapshotRuleTable[] = {
    {{"token-codes-short", Severity::Info, "",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Such codes can be guessed; only a limit on attempts prevents that."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Issue longer codes (act ... token issue does), or limit the attempts.")},
     beginAcross<CodesShort>},
    {{"token-codes-sequential", Severity::Warning, "",
      QT_TRANSLATE_NOOP("lk::Finding", "Anyone with one code can guess the next."),
      QT_TRANSLATE_NOOP("lk::Finding", "Make codes from random bytes (act ... token issue does).")},
     beginAcross<CodesSequential>},
};

} // namespace

std::span<const StateRule> tokenRules()
{
    return tokenRuleTable;
}

std::span<const SnapshotRule> tokenSnapshotRules()
{
    return tokenSnapshotRuleTable;
}

} // namespace lk
