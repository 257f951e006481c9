// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/findings/rules.h"

namespace lk {

namespace {

using Text = FindingText;
using Severity = Finding::Severity;

// That two rebuild it at once leaves no trace in the keys; what lets them, or lets nobody, does.
Seen lockWithoutTtl(const State& s, const CheckThresholds&)
{
    const auto* pattern = s.as<PatternState>();
    if (!pattern || pattern->lock != LockState::Phase::Immortal)
        return {};
    return {Text::tr("The lock beside it has no TTL: it does not end by itself."),
            s.primitive->key("lock"), {}, {}, {}};
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
};

} // namespace

std::span<const StateRule> patternRules()
{
    return rules;
}

} // namespace lk
