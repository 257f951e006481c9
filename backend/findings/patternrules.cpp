// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/findings/rules.h"

#include <QLocale>

namespace lk {

namespace {

using Severity = Finding::Severity;

Seen lockWithoutTtl(const State& s, const CheckThresholds&)
{
    const auto* pattern = s.as<PatternState>();
    if (!pattern || pattern->lock != LockState::Phase::NoTtl)
        return {};
    return RuleMatch{FindingText::tr("Its rebuild lock has no TTL: it never expires."),
                     s.primitive->key("lock"),
                     {},
                     {},
                     {}};
}

// Two rebuilds at once leave no trace in the keys. Watching shows that one lease ended with nothing
// stored, and that another owner holds the lock now.
Seen rebuiltByTwo(const State& s, const CheckThresholds&)
{
    const auto* pattern = s.as<PatternState>();
    if (!pattern || pattern->lock != LockState::Phase::Held || s.observed.renewals <= 0)
        return {};
    return RuleMatch{
        FindingText::tr("The rebuild lock expired %1 times before a result was stored, and is "
                        "held again.")
            .arg(QLocale().toString(s.observed.renewals)),
        s.primitive->key("lock"),
        {},
        {},
        {}};
}

constexpr StateRule patternRuleTable[] = {
    {{"lock-without-ttl", Severity::Error, "key.ttl",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "If the owner is dead, nobody rebuilds the list until someone deletes the "
                        "lock."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Set a TTL on the lock's key, or delete it if the owner is dead; acquire "
                        "with one command: SET key owner NX PX ttl.")},
     lockWithoutTtl},
    {{"cache-rebuilt-twice", Severity::Info, "",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "If the previous owner is still running, two clients sort at once: each "
                        "blocks the server, and the slower one overwrites the newer list. A sort "
                        "with no result looks the same."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Use a TTL longer than the sort takes, and store the result only while "
                        "still owning the lock."),
      true},
     rebuiltByTwo},
};

} // namespace

std::span<const StateRule> patternRules()
{
    return patternRuleTable;
}

} // namespace lk
