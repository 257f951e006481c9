// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/files/fileclaims.h"
#include "backend/libraries/families/marks.h"

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

constexpr double skewMs = 5000; // a client's clock may run ahead of the server's
constexpr double lateMs = 2000; // between reading the TTL and the clock, and rounding to seconds

bool matchesAny(const std::vector<NamePattern>& patterns, const QByteArray& text)
{
    return patterns.empty() || std::any_of(patterns.begin(), patterns.end(),
                                           [&](const NamePattern& p) { return p.matches(text); });
}

// True if the TTL ends at the time in the value.
bool endsAtValue(const Probe& probe)
{
    const auto value = decimalNumber(probe.head);
    const auto unit = value ? timeUnitOf(*value) : std::nullopt;
    if (!unit || !probe.ttlMs)
        return false;
    return std::abs(toMs(*value, *unit) - double(probe.nowMs + *probe.ttlMs)) <= lateMs;
}

const char* unmetOfString(const KeyRule& rule, const Probe& probe)
{
    if (!matchesAny(rule.values, probe.head))
        return "value";
    return rule.valueIsExpiry && !endsAtValue(probe) ? "expiry" : nullptr;
}

const char* unmetOfMember(const KeyRule& rule, const ScoredMember& member, qint64 nowMs)
{
    if (!matchesAny(rule.members, member.member))
        return "member";
    if (rule.memberIsScore && !repeatsScore(member))
        return "member_is_score";
    if (!rule.scores)
        return nullptr;
    if (timeUnitOf(member.score) != rule.scores)
        return "score";
    const double ms = toMs(member.score, *rule.scores);
    const bool early = rule.when == KeyRule::When::Future && ms < double(nowMs) - skewMs;
    const bool late = rule.when == KeyRule::When::Past && ms > double(nowMs) + skewMs;
    return early || late ? "when" : nullptr;
}

// True if the TTL ends at the highest score. With more members than were read, that is unknown.
bool endsAtLastScore(const KeyRule& rule, const Probe& probe)
{
    if (probe.members.size() >= size_t(Probe::memberLimit))
        return true;
    double lastMs = 0;
    for (const ScoredMember& member : probe.members)
        lastMs = std::max(lastMs, toMs(member.score, rule.scores.value_or(TimeUnit::Milliseconds)));
    return probe.ttlMs && std::abs(lastMs - double(probe.nowMs + *probe.ttlMs)) <= lateMs;
}

const char* unmetOfMembers(const KeyRule& rule, const Probe& probe)
{
    const bool asked = !rule.members.empty() || rule.memberIsScore || rule.scores;
    if (asked && probe.members.empty())
        return "member";
    for (const ScoredMember& member : probe.members) {
        if (const char* unmet = asked ? unmetOfMember(rule, member, probe.nowMs) : nullptr)
            return unmet;
    }
    return rule.valueIsExpiry && !endsAtLastScore(rule, probe) ? "expiry" : nullptr;
}

const char* unmetOfFields(const KeyRule& rule, const Probe& probe)
{
    const auto has = [&](const QByteArray& field) {
        return probe.field({field.constData(), size_t(field.size())}) != nullptr;
    };
    if (!std::all_of(rule.fields.begin(), rule.fields.end(), has))
        return "fields";
    const bool named = std::all_of(probe.fieldNames.begin(), probe.fieldNames.end(),
                                   [&](const auto& f) { return matchesAny(rule.fieldNames, f); });
    if (!rule.fieldNames.empty() && (!named || probe.fieldNames.empty()))
        return "field";
    if (!rule.onlyThese)
        return nullptr;
    const auto further = std::count_if(rule.furtherFields.begin(), rule.furtherFields.end(), has);
    return probe.length == rule.fields.size() + further ? nullptr : "only";
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

const char* unmetOf(const KeyRule& rule, const Probe& probe)
{
    if (rule.hasTtl && *rule.hasTtl != probe.ttlMs.has_value())
        return "ttl";
    if (rule.mostTtlMs && probe.ttlMs.value_or(0) > *rule.mostTtlMs)
        return "most_ttl";
    switch (probe.type) {
    case KeyType::String:
        return unmetOfString(rule, probe);
    case KeyType::ZSet:
        return unmetOfMembers(rule, probe);
    case KeyType::Hash:
        return unmetOfFields(rule, probe);
    case KeyType::List:
        return holdsElements(rule, probe) ? nullptr : "element";
    case KeyType::Set:
        return holdsSample(rule, probe) ? nullptr : "member";
    case KeyType::None:
    case KeyType::Stream:
    case KeyType::Other:
        break;
    }
    return nullptr;
}

} // namespace lk
