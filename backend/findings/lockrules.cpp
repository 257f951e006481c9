// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/findings/rules.h"
#include "backend/text/time/duration.h"

#include <QLocale>

namespace lk {

namespace {

using LockPhase = LockState::Phase;
using Severity = Finding::Severity;

Seen heldWithoutTtl(const State& s, const CheckThresholds&)
{
    const auto* lock = s.as<LockState>();
    if (!lock || lock->phase != LockPhase::NoTtl)
        return {};
    return RuleMatch{FindingText::tr("The lock has no TTL: it never expires."), {}, {}, {}, {}};
}

Seen expired(const State& s, const CheckThresholds&)
{
    const auto* lock = s.as<LockState>();
    if (!lock || lock->phase != LockPhase::Expired)
        return {};
    return RuleMatch{
        FindingText::tr("The lock has expired and its key still exists."), {}, {}, {}, {}};
}

// A value that all holders write alike ("1", "locked") names no owner: a lease that has grown may
// belong to another one.
bool namesItsOwner(const LockState& lock)
{
    constexpr qsizetype shortestToken = 6;
    return lock.ownerKnown && lock.owner.size() >= shortestToken && lock.owner != "locked";
}

// Found only by watching: a lease that was renewed again and again, and is not renewed any more.
// Workers of all common libraries renew at half or a third of the lease. A worker that waits longer
// was seen to do so.
Seen abandoned(const State& s, const CheckThresholds&)
{
    const auto* lock = s.as<LockState>();
    if (!lock || lock->phase != LockPhase::Held || !lock->leaseMs || s.observed.renewals < 2 ||
        !namesItsOwner(*lock) || *lock->leaseMs * 4 > s.observed.largestTtlMs ||
        (s.observed.leastLeftMs > 0 && *lock->leaseMs >= s.observed.leastLeftMs))
        return {};
    return RuleMatch{
        FindingText::tr("The owner renewed the lock %1 times and stopped: TTL %2 of %3.")
            .arg(QLocale().toString(s.observed.renewals), formatDuration(*lock->leaseMs),
                 formatDuration(s.observed.largestTtlMs)),
        {},
        {},
        {},
        {}};
}

// A lock with a TTL ends when the server says so; one that holds its end, when its clock says so.
Seen endFarOff(const State& s, const CheckThresholds& t)
{
    const auto* lock = s.as<LockState>();
    if (!lock || lock->phase != LockPhase::Held || s.ttlMs || !lock->leaseMs ||
        *lock->leaseMs <= t.lockLeaseMs)
        return {};
    return RuleMatch{FindingText::tr("Its expiry is %1 ahead of the server's clock.")
                         .arg(formatDuration(*lock->leaseMs)),
                     {},
                     {},
                     {},
                     {}};
}

constexpr StateRule lockRuleTable[] = {
    {{"lock-without-ttl", Severity::Error, "lock.ttl",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "If the owner is dead, nobody can take the lock until someone deletes it."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Set a TTL, or release it if the owner is dead; acquire with one command: "
                        "SET key owner NX PX ttl.")},
     heldWithoutTtl},
    {{"lock-expired", Severity::Warning, "lock.clear",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "The owner died without releasing it; until it is taken over, clients "
                        "that check differently see it as held."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Clear it, or let the next client take it over with GETSET. A plain DEL "
                        "can remove a lock that was just acquired.")},
     expired},
    {{"lock-abandoned", Severity::Warning, "lock.release",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "The owner is probably dead: others wait for the rest of the TTL for "
                        "nothing."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Check whether the owner is still running; if not, release the lock."),
      true},
     abandoned},
    {{"lock-end-far-off", Severity::Warning, "lock.ttl",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "The owner's clock is wrong, or milliseconds were written instead of "
                        "seconds: if the owner dies, the lock stays for all that time."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Set its TTL, and compare the owner's clock with the server's.")},
     endFarOff},
};

} // namespace

std::span<const StateRule> lockRules()
{
    return lockRuleTable;
}

} // namespace lk
