// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/findings/rules.h"

#include <QLocale>

namespace lk {

namespace {

using Severity = Finding::Severity;

Seen lockWithoutTtl(const State& s, const CheckThresholds&)
{
    const auto* pattern = s.as<PatternState>();
    if (!pattern || pattern->lock != LockState::Phase::Immortal)
        return {};
    return {FindingText::tr("The lock beside it has no TTL: it does not end by itself."),
            s.primitive->key("lock"),
            {},
            {},
            {}};
}

// That two rebuild it at once leaves no trace in the keys. Who watched saw the lease of one end with
// nothing stored, and another hold the lock now.
Seen rebuiltByTwo(const State& s, const CheckThresholds&)
{
    const auto* pattern = s.as<PatternState>();
    if (!pattern || pattern->lock != LockState::Phase::Held || s.observed.renewals <= 0)
        return {};
    return {
        FindingText::tr("The lock is held again, and nothing was stored under the lease before it; "
                        "leases that ended so: %1.")
            .arg(QLocale().toString(s.observed.renewals)),
        s.primitive->key("lock"),
        {},
        {},
        {}};
}

constexpr StateRule rules[] = {
    {{"lock-without-ttl", Severity::Error, "key.ttl",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "If its owner is gone, nobody makes the list anew until somebody removes "
                        "the lock."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Give the lock's key a TTL, or delete it if its owner is gone; take it "
                        "by one command, SET key owner NX PX lease.")},
     lockWithoutTtl},
    {{"cache-rebuilt-twice", Severity::Info, "",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "If the one before is still at it, two sort at once: each holds up the "
                        "server, and the slower one overwrites the newer list. A sort that finds "
                        "nothing looks the same."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Give the lock a lease longer than the sort takes, and store only while "
                        "it is still one's own."),
      true},
     rebuiltByTwo},
};

} // namespace

std::span<const StateRule> patternRules()
{
    return rules;
}

} // namespace lk
