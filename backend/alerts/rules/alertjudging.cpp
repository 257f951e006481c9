// SPDX-License-Identifier: GPL-3.0-or-later
// The effects of a change on the rules.
#include "backend/alerts/rules/alertengine.h"
#include "backend/core/names/glob.h"
#include "backend/core/redactedname.h"

#include <algorithm>

namespace lk {

namespace {

constexpr size_t mostPastHolds = 20'000; // locks

bool matches(const AlertRule& rule, const Primitive& primitive)
{
    if (rule.match.isEmpty())
        return true;
    return globMatches(rule.match, primitive.id.name) ||
           globMatches(rule.match, primitive.name()) ||
           (!primitive.keys.empty() && globMatches(rule.match, primitive.keys.front().key));
}

bool matches(const AlertRule& rule, const Finding& finding)
{
    return rule.match.isEmpty() || globMatches(rule.match, finding.name) ||
           globMatches(rule.match, finding.key);
}

// Returns a key that identifies a lock even after it was gone for a while.
QByteArray lockKey(const PrimitiveId& id)
{
    return id.layout + '\0' + id.name;
}

bool rises(Comparison comparison)
{
    return comparison == Comparison::Above || comparison == Comparison::AtLeast;
}

} // namespace

void AlertEngine::setScanned(qint64 nowMs)
{
    syncClock(nowMs);
    if (std::exchange(m_scanned, true))
        return;
    std::vector<QByteArray> left;
    for (const QByteArray& key : m_open) {
        const Entry& entry = m_entries.at(key);
        if (entry.restored && entry.subject.kind && !m_found.contains(key) && !entry.window)
            left.push_back(key);
    }
    for (const QByteArray& key : left)
        setMet(key, m_entries.at(key), false, nowMs);
}

void AlertEngine::apply(const Delta& delta, qint64 nowMs)
{
    syncClock(nowMs);
    for (const StateChange& change : delta.changes) {
        // A primitive that was removed during an outage was in no delta.
        if (const Handle last = m_known.at(change.handle.index); last != change.handle)
            forget(last, nowMs);
        if (change.state)
            judge(change.handle, change.state, nowMs);
        else
            forget(change.handle, nowMs);
    }
}

void AlertEngine::judge(Handle handle, const StatePtr& state, qint64 nowMs)
{
    const Primitive& primitive = *state->primitive;
    const std::vector<size_t>& rules = m_byKind[size_t(primitive.kind)];
    if (rules.empty())
        return;
    m_known[handle] = state->primitive;
    qint64 usualMs = 0;
    qint64 heldSince = 0;
    if (m_usesHolds && primitive.kind == Kind::Lock) {
        HoldTimes& times = holdsOf(handle, primitive);
        times.add(*state);
        usualMs = times.usualMs();
        heldSince = times.heldSinceMs();
    }
    for (const size_t rule : rules) {
        if (!matches(m_rules[rule], primitive))
            continue;
        const auto& condition = std::get<MetricCondition>(m_rules[rule].condition);
        const QByteArray name = redactedKey(primitive.kind, primitive.id.name);
        const QByteArray key = keyOf(rule, primitive.id.layout, name);
        const MetricReading reading = readMetric(*state, condition.metric, nowMs, usualMs);
        judgeMetric(rule, key,
                    {primitive.kind,
                     {primitive.id.layout, name},
                     redactedKey(primitive.kind, primitive.name())},
                    reading, nowMs);
        if (primitive.kind != Kind::Lock || condition.withinMs != 0)
            continue;
        // It may come to hold by time alone.
        const qint64 since = heldSince > 0 ? heldSince : state->observed.sinceMs;
        if (reading.value && reachedAtMs(condition, since, usualMs) > 0) {
            Entry& entry = entryOf(rule, key,
                                   {primitive.kind,
                                    {primitive.id.layout, name},
                                    redactedKey(primitive.kind, primitive.name())});
            entry.timed = state;
            entry.usualHoldMs = usualMs;
            schedule(key, entry);
        }
    }
}

HoldTimes& AlertEngine::holdsOf(Handle handle, const Primitive& lock)
{
    if (HoldTimes* known = m_holds.find(handle))
        return *known;
    const auto past = m_pastHolds.find(lockKey(lock.id));
    if (past == m_pastHolds.end())
        return m_holds[handle];
    HoldTimes times = past->second;
    m_pastHolds.erase(past);
    return m_holds[handle] = times;
}

void AlertEngine::restoreHolds(const std::vector<PastHolds>& holds)
{
    std::unordered_map<QByteArray, Handle> known;
    for (const auto& [handle, times] : m_holds)
        known[lockKey((*m_known.find(handle))->id)] = handle;
    for (const PastHolds& past : holds) {
        const QByteArray key = lockKey(past.lock);
        if (const auto it = known.find(key); it != known.end())
            m_holds[it->second].prepend(past.heldMs);
        else if (m_pastHolds.size() < mostPastHolds)
            m_pastHolds[key].prepend(past.heldMs);
    }
}

void AlertEngine::forget(Handle handle, qint64 nowMs)
{
    const PrimitivePtr* known = m_known.find(handle);
    if (!known)
        return;
    const Primitive& primitive = **known;
    for (const size_t rule : m_byKind[size_t(primitive.kind)])
        gone(keyOf(rule, primitive.id.layout, redactedKey(primitive.kind, primitive.id.name)),
             nowMs);
    // It is taken again: what is usual for it is the same.
    if (HoldTimes* times = m_holds.find(handle);
        times && !times->last().empty() && m_pastHolds.size() < mostPastHolds) {
        times->interrupt();
        m_pastHolds[lockKey(primitive.id)] = *times;
    }
    m_holds.erase(handle);
    m_known.erase(handle);
}

void AlertEngine::gone(const QByteArray& key, qint64 nowMs)
{
    const auto it = m_entries.find(key);
    if (it == m_entries.end())
        return;
    it->second.timed.reset();
    it->second.window.reset();
    setMet(it->first, it->second, false, nowMs);
}

void AlertEngine::judgeMetric(size_t rule, const QByteArray& key, Subject subject,
                              const MetricReading& reading, qint64 nowMs)
{
    const auto& condition = std::get<MetricCondition>(m_rules[rule].condition);
    const auto known = m_entries.find(key);
    if (!reading.value) {
        if (reading.known && known != m_entries.end()) {
            known->second.timed.reset();
            known->second.window.reset();
            setMet(key, known->second, false, nowMs);
        }
        return;
    }
    // Most have no entry: nothing holds, and nothing is to be remembered of them.
    if (known == m_entries.end() && condition.withinMs == 0 && !holds(condition, *reading.value))
        return;
    Entry& entry = entryOf(rule, key, std::move(subject));
    entry.value = *reading.value;
    entry.timed.reset();
    if (condition.withinMs != 0) {
        if (!entry.window)
            entry.window.emplace(condition.withinMs);
        entry.window->add(nowMs, *reading.value);
    }
    const bool met = judgeValue(entry, nowMs);
    if (!met && staysRestored(entry, nowMs))
        schedule(key, entry);
    else
        setMet(key, entry, met, nowMs);
}

// A restored alert on a change stays open for a window's time: the change before this program was
// started is not known.
bool AlertEngine::staysRestored(const Entry& entry, qint64 nowMs) const
{
    return entry.restored && entry.window && entry.alert &&
           nowMs <
               entry.alert->firedMs + std::get<MetricCondition>(ruleOf(entry).condition).withinMs;
}

// With hysteresis: once it has fired it goes on until the number is back far enough.
bool AlertEngine::judgeValue(Entry& entry, qint64 nowMs) const
{
    const auto& condition = std::get<MetricCondition>(ruleOf(entry).condition);
    if (entry.window)
        entry.value =
            rises(condition.comparison) ? entry.window->risen(nowMs) : entry.window->fallen(nowMs);
    const bool open = entry.phase == Phase::Firing || entry.phase == Phase::Clearing;
    return open ? !isClear(condition, entry.value, ruleOf(entry).resolve)
                : holds(condition, entry.value);
}

void AlertEngine::setFindings(const LiveFindings& findings, qint64 nowMs)
{
    syncClock(nowMs);
    QSet<QByteArray> seen;
    for (const LiveFindingPtr& live : findings.rows) {
        const Finding& finding = live->finding;
        const auto rules = m_byCode.find(finding.code);
        if (rules == m_byCode.end() || finding.silenced)
            continue;
        // A pattern over several holds no code.
        const bool several = finding.group || finding.ofServer;
        const QByteArray name = several ? finding.name : redactedKey(finding.kind, finding.name);
        const QByteArray one = several ? QByteArray() : redactedKey(finding.kind, finding.key);
        for (const size_t rule : rules->second) {
            if (!matches(m_rules[rule], finding))
                continue;
            const QByteArray key = keyOf(rule, {}, several ? name : one);
            Entry& entry = entryOf(
                rule, key,
                {finding.ofServer ? std::nullopt : std::optional(finding.kind), {{}, one}, name});
            entry.text = finding.message;
            seen.insert(key);
            setMet(key, entry, true, nowMs);
        }
    }
    const QSet<QByteArray> before = std::exchange(m_found, seen);
    for (const QByteArray& key : before) {
        if (seen.contains(key))
            continue;
        Entry& entry = m_entries.at(key);
        // Before all keys were read it may only not have been seen yet.
        if (entry.restored && !m_scanned)
            m_found.insert(key);
        else
            setMet(key, entry, false, nowMs);
    }
}

void AlertEngine::setServer(const ServerNumbers& numbers, qint64 nowMs)
{
    syncClock(nowMs);
    for (const size_t rule : m_ofServer) {
        const auto& condition = std::get<MetricCondition>(m_rules[rule].condition);
        judgeMetric(rule, keyOf(rule, {}, {}), {std::nullopt, {}, m_endpoint},
                    readMetric(numbers, condition.metric), nowMs);
    }
}

} // namespace lk
