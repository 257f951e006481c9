// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/names/redactedname.h"
#include "backend/findings/rules.h"
#include "backend/text/duration.h"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <map>

namespace lk {

namespace {

using Phase = TokenState::Phase;
using Severity = Finding::Severity;

constexpr size_t fewestInARow = 4; // codes that a sequence has to have
constexpr double sparse = 1000;    // how much larger than their range what they are drawn from is
constexpr qsizetype longestNumber = 15;

RuleMatch withoutTtl(const State& s, const CheckThresholds&)
{
    const auto* token = s.as<TokenState>();
    if (!token || !s.present || s.ttlMs || token->phase == Phase::NeverIssued)
        return {};
    return {FindingText::tr("The token has no TTL: it is valid until it is used."), {}, {}, {}, {}};
}

RuleMatch ghost(const State& s, const CheckThresholds&)
{
    const auto* token = s.as<TokenState>();
    if (!token || token->phase != Phase::NeverIssued)
        return {};
    const QString uses =
        token->uses ? QLocale().toString(*token->uses) : FindingText::tr("unknown");
    return {FindingText::tr("Only a use count exists (%1): there is no token with this code.")
                .arg(uses),
            {},
            {},
            {},
            {}};
}

RuleMatch usedTwice(const State& s, const CheckThresholds&)
{
    const auto* token = s.as<TokenState>();
    if (!token || token->uses.value_or(0) < 2)
        return {};
    return {
        FindingText::tr("The token was presented %1 times.").arg(QLocale().toString(*token->uses)),
        {},
        {},
        {},
        {}};
}

RuleMatch ttlTooLong(const State& s, const CheckThresholds& t)
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
    return {text.arg(formatDuration(*s.ttlMs), formatDuration(longest)), {}, {}, {}, {}};
}

constexpr StateRule rules[] = {
    {{"token-without-ttl", Severity::Warning, "key.ttl",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Anyone who finds the code in an old mail can still use it, and unused "
                        "tokens stay for good."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Set a TTL; issue with SET ... PX, or in MULTI, so that no token is left "
                        "without one.")},
     withoutTtl},
    {{"ghost-token", Severity::Error, "token.sweep",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "The code was used after it had expired, or was never issued: HINCRBY "
                        "created the key, without a TTL, and code that checks for the first use "
                        "accepts it."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Clean it up; redeem with a script that first checks that the token "
                        "exists.")},
     ghost},
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

// Codes that are told apart by their last part alone: what stands before it.
struct Family
{
    std::vector<QByteArrayView> codes; // the primitives outlive them
    QByteArray key;                    ///< the last of them by name
};

std::map<QByteArrayView, Family> families(const Snapshot& snapshot)
{
    std::map<QByteArrayView, Family> all;
    for (const StatePtr& state : snapshot.states) {
        const auto* token = state->as<TokenState>();
        // Anybody can make the name of a ghost: it says nothing of those that were issued.
        if (!token || state->problem || token->phase == Phase::NeverIssued || !state->present)
            continue;
        const QByteArray& key = state->primitive->keys.front().key;
        const qsizetype at = codeStart(key);
        if (at <= 0 || at >= key.size())
            continue;
        const QByteArrayView whole(key);
        Family& family = all[whole.first(at)];
        family.codes.push_back(whole.sliced(at));
        if (family.key < key)
            family.key = key;
    }
    return all;
}

// How many different characters such codes are made of, at most: an upper bound of what is random.
int alphabetOf(const std::vector<QByteArrayView>& codes)
{
    bool digits = false;
    bool lowerHex = false;
    bool lower = false;
    bool upper = false;
    bool other = false;
    for (const QByteArrayView code : codes) {
        for (const char c : code) {
            const bool isLower = c >= 'a' && c <= 'z';
            digits |= c >= '0' && c <= '9';
            lowerHex |= isLower && c <= 'f';
            lower |= isLower && c > 'f';
            upper |= c >= 'A' && c <= 'Z';
            other |= !isLower && !(c >= '0' && c <= '9') && !(c >= 'A' && c <= 'Z');
        }
    }
    return (digits ? 10 : 0) + (lower ? 26 : lowerHex ? 6 : 0) + (upper ? 26 : 0) + (other ? 4 : 0);
}

std::vector<RuleMatch> codesShort(const Snapshot& snapshot, const CheckThresholds& t)
{
    std::vector<RuleMatch> found;
    for (const auto& [prefix, family] : families(snapshot)) {
        qsizetype longest = 0;
        for (const QByteArrayView code : family.codes)
            longest = std::max(longest, code.size());
        const int bits = int(std::ceil(double(longest) * std::log2(alphabetOf(family.codes))));
        if (bits >= t.codeBits)
            continue;
        found.push_back({FindingText::tr("Codes with at most %1 characters, %2 bits or less: %3.")
                             .arg(QLocale().toString(longest), QLocale().toString(bits),
                                  QLocale().toString(qint64(family.codes.size()))),
                         family.key,
                         prefix.toByteArray() + '*',
                         {},
                         {},
                         Kind::Token,
                         true});
    }
    return found;
}

// Numbers, as decimal as they judge; nothing if one is none.
std::vector<qint64> numbersOf(const std::vector<QByteArrayView>& codes, qsizetype& digits)
{
    std::vector<qint64> numbers;
    for (const QByteArrayView code : codes) {
        bool isNumber = false;
        const qint64 n = code.toLongLong(&isNumber);
        if (!isNumber || n < 0 || code.size() > longestNumber)
            return {};
        digits = std::max(digits, code.size());
        numbers.push_back(n);
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

// Drawn at random from all numbers of that many digits they would lie a thousand times further
// apart.
std::vector<RuleMatch> codesSequential(const Snapshot& snapshot, const CheckThresholds&)
{
    std::vector<RuleMatch> found;
    for (const auto& [prefix, family] : families(snapshot)) {
        qsizetype digits = 0;
        const std::vector<qint64> numbers = numbersOf(family.codes, digits);
        if (numbers.size() < fewestInARow)
            continue;
        const double range = double(numbers.back() - numbers.front()) + 1;
        if (range > double(numbers.size()) * 4 || range * sparse > std::pow(10, double(digits)))
            continue;
        found.push_back({FindingText::tr("%1 codes are within %2 of each other.")
                             .arg(QLocale().toString(qint64(numbers.size())),
                                  QLocale().toString(qint64(range))),
                         family.key,
                         prefix.toByteArray() + '*',
                         {},
                         {},
                         Kind::Token,
                         true});
    }
    return found;
}

constexpr SnapshotRule snapshotRules[] = {
    {{"token-codes-short", Severity::Info, "",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Such codes can be guessed; only a limit on attempts prevents that."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Issue longer codes (act ... token issue does), or limit the attempts.")},
     codesShort},
    {{"token-codes-sequential", Severity::Warning, "",
      QT_TRANSLATE_NOOP("lk::Finding", "Anyone with one code can guess the next."),
      QT_TRANSLATE_NOOP("lk::Finding", "Make codes from random bytes (act ... token issue does).")},
     codesSequential},
};

} // namespace

std::span<const StateRule> tokenRules()
{
    return rules;
}

std::span<const SnapshotRule> tokenSnapshotRules()
{
    return snapshotRules;
}

} // namespace lk
