// SPDX-License-Identifier: GPL-3.0-or-later
// SET key owner NX PX lease: the lock of the talk and of most libraries. The value is the owner's
// token. The release compares it.
#include "backend/core/timeunit.h"
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/namehints.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/detect/valueshape.h"
#include "backend/libraries/detect/wordlists.h"
#include "backend/libraries/families/locks/lockactions.h"
#include "backend/libraries/families/locks/locknames.h"
#include "backend/libraries/families/locks/ownerlock.h"
#include "backend/libraries/families/locks/ownershape.h"

#include "backend/core/names/namewords.h"

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

constexpr qint64 dayMs = 24LL * 3600 * 1000;
constexpr qint64 longestUnnamedMs = 3600 * 1000;

constexpr const WordList& lockWords =
    words<"lock", "locks", "lck", "mutex", "mutexes", "redlock", "redismutex">;

bool isNamedLock(const QByteArray& name)
{
    return hasWord(name, lockWords);
}

// Names of roles that one owner has at a time, without leaderboards, leased flats and offers.
bool isLeaderName(const QByteArray& name)
{
    return hasWord(name, words<"leader", "leadership", "lease", "singleton", "exclusive">) &&
           !hasWord(name, wordsIn<"not-leaders">());
}

// Names of data about a lock, and of other locks: those of doors, screens, accounts and rows.
bool tellsAboutLocks(const QByteArray& name)
{
    return hasWord(name, wordsIn<"about-locks">());
}

// Random values under these names are content, not owners.
bool namedOtherwise(const QByteArray& name)
{
    return hasWord(name, wordsIn<"random-content">());
}

// Names of the value itself: "deviceid", "gitsha".
bool endsLikeContent(const QByteArray& name)
{
    constexpr const char* ends[] = {"id",     "key",  "sha",  "hash", "tag",  "token",  "code",
                                    "secret", "name", "ref",  "url",  "host", "addr",   "node",
                                    "server", "uuid", "guid", "hex",  "pin",  "cookie", "version"};
    return std::any_of(std::begin(ends), std::end(ends),
                       [&](const char* end) { return name.endsWith(end); });
}

// Judges a key with a lock's name. The proof is an owner's random value, or else an unambiguous
// name and a lock's typical TTL.
void judgeNamed(const Probe& probe, Claim& claim)
{
    const QByteArray& value = probe.head;
    const bool about = tellsAboutLocks(probe.name);
    const bool placed = leadsOrEnds(probe.name, lockWords);
    const bool leased = probe.ttlMs && *probe.ttlMs <= dayMs;
    const auto number = decimalNumber(value);
    if (!number && (looksLikeOwnerToken(value) || (probe.ttlMs && tellsOfLock(value)))) {
        // A resource may have any name: "lock:config:reload" is held by a host and its pid.
        // Without a TTL the lock's word has to be at an end: "bike:lock:42" is a thing.
        const bool ends = probe.ttlMs || hasWord(tailOf(probe.name), lockWords) ||
                          hasWord(firstPart(probe.name), lockWords);
        claim.confidence = (!about && ends) || (leased && placed) ? 0.85 : 0.4;
        claim.doubt = Doubt::OtherWords;
        claim.further = {FurtherProof::Way::Turnover, 2};
        return;
    }
    claim.doubt = leased ? Doubt::NameOnly : Doubt::NoTtl;
    if (about)
        return;
    // A client may have taken "lock:import" without a TTL and died. An operator has to see that.
    const bool plain = !looksLikeJson(value) && !value.contains(' ') && !probe.headTruncated();
    const bool held = leased ? placed || (plain && hasPart(probe.name, lockWords))
                             : !probe.ttlMs && plain && hasPart(probe.name, lockWords, true);
    if (!held && !placed)
        return;
    if (number) {
        // A time without a TTL is a lock of the other kind: the value is the time of its end.
        const auto unit = timeUnitOf(*number);
        const bool recent =
            unit && std::abs(toMs(*number, *unit) - double(probe.nowMs)) <= double(dayMs);
        const bool taken = (leased && recent) || (held && value == "1");
        claim.confidence = taken ? 0.6 : unit ? 0.3 : 0.4;
    } else {
        claim.confidence = held ? 0.6 : 0.4;
    }
}

// Judges the key of an election. Its value names the leader. It expires soon unless it is renewed.
void judgeLeader(const Probe& probe, Claim& claim)
{
    const bool leased = probe.ttlMs && *probe.ttlMs <= dayMs;
    const bool token = looksLikeOwnerToken(probe.head) && !decimalNumber(probe.head);
    claim.confidence =
        token && leased &&
                leadsOrEnds(probe.name,
                            words<"leader", "leadership", "lease", "singleton", "exclusive">)
            ? 0.85
        : token && leased                      ? 0.6
        : leased && !looksLikeJson(probe.head) ? 0.4
                                               : 0;
}

// Objects that one worker handles at a time are also locked under their own names.
bool isNamedAsThing(const QByteArray& name)
{
    return hasWord(name, wordsIn<"lockable-things">()) &&
           !hasWord(name, wordsIn<"not-lockable-things">());
}

// Whether the value is an owner's as libraries write it: long enough to be unique.
bool isOwnersForm(const Probe& probe)
{
    constexpr qsizetype shortest = 10; // for a value of no known library
    const OwnerForm form = ownerInfoOf(probe.head, probe.nowMs).form;
    return form == OwnerForm::Unknown ? probe.head.size() >= shortest && isRandomText(probe.head)
                                      : form != OwnerForm::HostPid;
}

// Judges a random value alone. It is a lock only under a name of one word, such as the resource.
void judgeUnnamed(const Probe& probe, Claim& claim)
{
    if (!probe.ttlMs || *probe.ttlMs > longestUnnamedMs || probe.headTruncated() ||
        decimalNumber(probe.head))
        return;
    if (tellsOfLock(probe.head) && !namedOtherwise(probe.name) &&
        !ownerInObject(probe.head).isEmpty()) {
        claim.confidence = 0.3;
        claim.doubt = Doubt::ValueOnly;
        return;
    }
    if (!looksLikeOwnerToken(probe.head) && !isRandomText(probe.head))
        return;
    claim.further = {FurtherProof::Way::Turnover, 2};
    if (namedOtherwise(probe.name)) {
        claim.confidence = isNamedAsThing(probe.name) && isOwnersForm(probe) ? 0.25 : 0;
        claim.doubt = Doubt::OtherWords;
        return;
    }
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const bool oneWord = std::all_of(probe.name.begin(), probe.name.end(), isLetter) &&
                         !endsLikeContent(probe.name.toLower());
    claim.confidence = oneWord ? 0.5 : hasRandomPart(probe.name) ? 0 : 0.3;
    claim.doubt = Doubt::ValueOnly;
}

class SetNxPx final : public PlannedLayout
{
public:
    QByteArray id() const override { return QByteArrayLiteral("set-nx-px"); }
    QString title() const override { return LayoutText::tr("Lock with owner and TTL"); }
    Kind kind() const override { return Kind::Lock; }
    bool wants(KeyType type) const override { return type == KeyType::String; }
    QByteArray mainRole() const override { return QByteArrayLiteral("lock"); }
    KeyType mainType() const override { return KeyType::String; }
    QString exampleDeclaration() const override
    {
        return QStringLiteral("[[lock]]\n"
                              "key = \"reservation:*\"\n"
                              "layout = \"set-nx-px\"");
    }
    bool isPlainest(KeyType type) const override
    {
        return type == KeyType::String || type == KeyType::None;
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (probe.type != KeyType::String || probe.head.isEmpty())
            return std::nullopt;
        Claim claim{{id(), probe.name}, {{mainRole(), probe.name}}, 0, {}, Doubt::NameOnly};
        if (isNamedLock(probe.name))
            judgeNamed(probe, claim);
        else if (isLeaderName(probe.name))
            judgeLeader(probe, claim);
        else
            judgeUnnamed(probe, claim);
        return claim.confidence > 0 ? std::optional(std::move(claim)) : std::nullopt;
    }

    ActionList actions() const override
    {
        return {&actions::releaseLock(), &actions::setLockTtl()};
    }

protected:
    bool readsAsProbed() const override { return true; }
    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override
    {
        return ownerLockReads(primitive.key("lock"));
    }

    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        reading.state = ownerLockState(primitive.key("lock"), replies, context);
        return reading;
    }
};

} // namespace

LK_LAYOUT(setNxPx, SetNxPx)

} // namespace lk
