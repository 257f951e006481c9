// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/duration.h"
#include "backend/findings/rules.h"

#include <QLocale>

namespace lk {

namespace {

using Phase = LockState::Phase;
using Severity = Finding::Severity;

Seen withoutTtl(const State& s, const CheckThresholds&)
{
    const auto* lock = s.as<LockState>();
    if (!lock || lock->phase != Phase::Immortal)
        return {};
    return {FindingText::tr("The lock has no TTL: it does not end by itself."), {}, {}, {}, {}};
}

Seen expired(const State& s, const CheckThresholds&)
{
    const auto* lock = s.as<LockState>();
    if (!lock || lock->phase != Phase::Expired)
        return {};
    return {
        FindingText::tr("The lock's time has run out and its key is still there."), {}, {}, {}, {}};
}

// A value that every holder writes alike ("1", "locked") names nobody: a lease that has grown may
// be another one's.
bool namesItsOwner(const LockState& lock)
{
    constexpr qsizetype shortestToken = 6;
    return lock.ownerKnown && lock.owner.size() >= shortestToken && lock.owner != "locked";
}

// Only who watched can tell: a lease that was renewed again and again and that nobody renews any more.
// Workers of all common libraries renew at half or a third; one who waits longer has been seen to.
Seen abandoned(const State& s, const CheckThresholds&)
{
    const auto* lock = s.as<LockState>();
    if (!lock || lock->phase != Phase::Held || !lock->leaseMs || s.observed.renewals < 2 ||
        !namesItsOwner(*lock) || *lock->leaseMs * 4 > s.observed.largestTtlMs ||
        (s.observed.leastLeftMs > 0 && *lock->leaseMs >= s.observed.leastLeftMs))
        return {};
    return {
        FindingText::tr("Its owner renewed the lease %1 times and has stopped: %2 are left of %3.")
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
    if (!lock || lock->phase != Phase::Held || s.ttlMs || !lock->leaseMs ||
        *lock->leaseMs <= t.lockLeaseMs)
        return {};
    return {FindingText::tr("The end that it holds is %1 ahead of the server's clock.")
                .arg(formatDuration(*lock->leaseMs)),
            {},
            {},
            {},
            {}};
}

constexpr StateRule rules[] = {
    {{"lock-without-ttl", Severity::Error, "lock.lease",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "If its owner is gone, nobody gets it until somebody removes it."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Give it a lease, or release it if its owner is gone; take it by one "
                        "command, SET key owner NX PX lease.")},
     withoutTtl},
    {{"lock-expired", Severity::Warning, "lock.clear",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Its owner ended without releasing it; until somebody takes it over, "
                        "clients of other rules see it as held."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Clear it, or let the next client take it over by GETSET. DEL by one "
                        "client after another removes a lock that was just taken.")},
     expired},
    {{"lock-abandoned", Severity::Warning, "lock.release",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Its owner has probably ended: others wait for the rest of the lease for "
                        "nothing."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Look whether the owner still runs; if not, release the lock."),
      true},
     abandoned},
    {{"lock-end-far-off", Severity::Warning, "lock.lease",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "The owner's clock is wrong, or milliseconds were written where seconds "
                        "are meant: if the owner ends, the lock stays for all that time."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Set its end, and compare the owner's clock with the server's.")},
     endFarOff},
};

} // namespace

std::span<const StateRule> lockRules()
{
    return rules;
}

} // namespace lk
