// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/layouts/families/filelayout.h"
#include "backend/layouts/limiters/marks.h"
#include "backend/layouts/probe/replyvalues.h"

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

constexpr double skewMs = 5000; // a client's clock may run ahead of the server's
constexpr double lateMs = 2000; // between a TTL's reading and that of the clock, and whole seconds

bool matchesAny(const std::vector<NamePattern>& patterns, const QByteArray& text)
{
    return patterns.empty() || std::any_of(patterns.begin(), patterns.end(),
                                           [&](const NamePattern& p) { return p.matches(text); });
}

// The TTL ends at the time that the value tells.
bool endsAtValue(const Probe& probe)
{
    const auto value = decimalNumber(probe.head);
    const auto unit = value ? timeUnitOf(*value) : std::nullopt;
    if (!unit || !probe.ttlMs)
        return false;
    return std::abs(toMs(*value, *unit) - double(probe.nowMs + *probe.ttlMs)) <= lateMs;
}

bool holdsString(const KeyRule& rule, const Probe& probe)
{
    return matchesAny(rule.values, probe.head) && (!rule.valueIsExpiry || endsAtValue(probe));
}

bool holdsMember(const KeyRule& rule, const ScoredMember& member, qint64 nowMs)
{
    if (!matchesAny(rule.members, member.member) || (rule.memberIsScore && !repeatsScore(member)))
        return false;
    if (!rule.scores)
        return true;
    if (timeUnitOf(member.score) != rule.scores)
        return false;
    const double ms = toMs(member.score, *rule.scores);
    switch (rule.when) {
    case KeyRule::When::Past:
        return ms <= double(nowMs) + skewMs;
    case KeyRule::When::Future:
        return ms >= double(nowMs) - skewMs;
    case KeyRule::When::Any:
        break;
    }
    return true;
}

bool holdsMembers(const KeyRule& rule, const Probe& probe)
{
    const bool asked = !rule.members.empty() || rule.memberIsScore || rule.scores;
    return !asked || (!probe.members.empty() &&
                      std::all_of(probe.members.begin(), probe.members.end(), [&](const auto& m) {
                          return holdsMember(rule, m, probe.nowMs);
                      }));
}

bool holdsFields(const KeyRule& rule, const Probe& probe)
{
    const auto has = [&](const QByteArray& field) {
        return probe.field({field.constData(), size_t(field.size())}) != nullptr;
    };
    if (!std::all_of(rule.fields.begin(), rule.fields.end(), has))
        return false;
    const bool named = std::all_of(probe.fieldNames.begin(), probe.fieldNames.end(),
                                   [&](const auto& f) { return matchesAny(rule.fieldNames, f); });
    if (!rule.fieldNames.empty() && (!named || probe.fieldNames.empty()))
        return false;
    if (!rule.onlyThese)
        return true;
    const auto further = std::count_if(rule.furtherFields.begin(), rule.furtherFields.end(), has);
    return probe.length == rule.fields.size() + further;
}

bool holdsElements(const KeyRule& rule, const Probe& probe)
{
    return rule.elements.empty() ||
           (matchesAny(rule.elements, probe.first) && matchesAny(rule.elements, probe.last));
}

bool holdsSample(const KeyRule& rule, const Probe& probe)
{
    return rule.members.empty() ||
           (!probe.sample.empty() &&
            std::all_of(probe.sample.begin(), probe.sample.end(),
                        [&](const QByteArray& m) { return matchesAny(rule.members, m); }));
}

} // namespace

bool holdsProof(const KeyRule& rule, const Probe& probe)
{
    if (rule.hasTtl && *rule.hasTtl != probe.ttlMs.has_value())
        return false;
    if (rule.mostTtlMs && probe.ttlMs.value_or(0) > *rule.mostTtlMs)
        return false;
    switch (rule.type) {
    case KeyType::String:
        return holdsString(rule, probe);
    case KeyType::ZSet:
        return holdsMembers(rule, probe);
    case KeyType::Hash:
        return holdsFields(rule, probe);
    case KeyType::List:
        return holdsElements(rule, probe);
    case KeyType::Set:
        return holdsSample(rule, probe);
    case KeyType::None:
    case KeyType::Stream:
    case KeyType::Other:
        break;
    }
    return true;
}

} // namespace lk
