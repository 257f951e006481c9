// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/alerts/rules/alertengine.h"

#include "backend/alerts/rules/alerttext.h"
#include "backend/alerts/rules/ownmetric.h"

#include <QCryptographicHash>

#include <algorithm>

namespace lk {

AlertEngine::AlertEngine(QByteArray endpoint, const AlertSettings& settings)
    : m_endpoint(std::move(endpoint))
    , m_deployment(m_endpoint)
{
    setSettings(settings);
}

void AlertEngine::setSettings(const AlertSettings& settings)
{
    const std::vector<AlertRule> before = std::exchange(m_rules, rulesInForce(settings));
    m_byCode.clear();
    m_ofServer.clear();
    for (std::vector<size_t>& rules : m_byKind)
        rules.clear();
    m_usesHolds = false;
    for (size_t i = 0; i < m_rules.size(); ++i) {
        if (const auto* finding = std::get_if<FindingCondition>(&m_rules[i].condition)) {
            m_byCode[finding->code].push_back(i);
            continue;
        }
        const auto& metric = std::get<MetricCondition>(m_rules[i].condition);
        (metric.kind ? m_byKind[size_t(*metric.kind)] : m_ofServer).push_back(i);
        m_usesHolds =
            m_usesHolds || ownMetricOf(metric.kind, metric.metric) == OwnMetric::HeldRatio;
    }
    for (auto it = m_entries.begin(); it != m_entries.end();) {
        Entry& entry = it->second;
        const auto same = std::find_if(m_rules.begin(), m_rules.end(), [&](const AlertRule& r) {
            return r.id() == before[entry.rule].id() && r.condition == before[entry.rule].condition;
        });
        if (same != m_rules.end()) {
            entry.rule = size_t(same - m_rules.begin());
            schedule(it->first, entry);
            ++it;
            continue;
        }
        if (entry.alert)
            m_ended.push_back({AlertEvent::Type::Resolved, entry.alert});
        const QByteArray key = (it++)->first;
        drop(key, m_entries.at(key));
    }
}

// Ignores a small step back in time: readings of a clock differ. After a larger step the clock was
// set back, and the stored times are shifted, so that no condition waits for the former time.
void AlertEngine::syncClock(qint64& nowMs)
{
    constexpr qint64 littleMs = 5000;
    if (nowMs < m_nowMs - littleMs)
        shiftBack(m_nowMs - nowMs);
    m_nowMs = std::max(m_nowMs, nowMs);
    nowMs = m_nowMs;
}

// Shifts the stored times, so that all durations stay the same by the new clock.
void AlertEngine::shiftBack(qint64 byMs)
{
    m_nowMs -= byMs;
    if (m_blindMs)
        *m_blindMs -= byMs;
    for (auto& [key, entry] : m_entries) {
        entry.phaseMs -= byMs;
        if (entry.window)
            entry.window->shiftBack(byMs);
        schedule(key, entry);
    }
}

void AlertEngine::drop(const QByteArray& key, Entry& entry)
{
    if (entry.dueMs != 0)
        m_agenda.erase({entry.dueMs, key});
    m_notKept -= entry.left ? 1 : 0;
    m_open.remove(key);
    m_found.remove(key);
    m_entries.erase(QByteArray(key)); // the key may be the entry's own
}

void AlertEngine::restore(const std::vector<AlertPtr>& open)
{
    for (const AlertPtr& alert : open) {
        const auto rule = std::find_if(m_rules.begin(), m_rules.end(),
                                       [&](const AlertRule& r) { return r.id() == alert->rule; });
        if (rule == m_rules.end()) {
            m_ended.push_back({AlertEvent::Type::Resolved, alert});
            continue;
        }
        const auto index = size_t(rule - m_rules.begin());
        // There is one server, by whichever of its addresses another program entered it.
        const auto* metric = std::get_if<MetricCondition>(&rule->condition);
        const bool ofServer = metric && !metric->kind;
        const QByteArray name =
            alert->primitive.name.isEmpty() ? alert->name : alert->primitive.name;
        const QByteArray key =
            keyOf(index, alert->primitive.layout, ofServer ? QByteArray() : name);
        const bool isKnown = m_entries.contains(key);
        Entry& entry = entryOf(index, key, Subject{alert->kind, alert->primitive, alert->name});
        if (entry.alert)
            continue;
        const bool isOver = isKnown ? !entry.met : m_scanned && alert->kind;
        entry.phase = Phase::Firing;
        entry.phaseMs = alert->sinceMs;
        entry.met = true;
        entry.restored = !isKnown;
        entry.text = alert->text;
        entry.alert = alert;
        m_open.insert(key);
        if (std::holds_alternative<FindingCondition>(rule->condition))
            m_found.insert(key);
        if (isOver)
            setMet(key, entry, false, m_nowMs);
    }
}

QByteArray AlertEngine::keyOf(size_t rule, const QByteArray& layout, const QByteArray& name) const
{
    return m_rules[rule].id() + '\0' + layout + '\0' + name;
}

AlertEngine::Entry& AlertEngine::entryOf(size_t rule, const QByteArray& key, Subject subject)
{
    const auto [it, isNew] = m_entries.try_emplace(key);
    Entry& entry = it->second;
    if (isNew) {
        entry.rule = rule;
        entry.subject = std::move(subject);
    }
    return entry;
}

void AlertEngine::setBlind(bool blind, qint64 nowMs)
{
    syncClock(nowMs);
    if (blind == m_blindMs.has_value())
        return;
    if (blind) {
        m_blindMs = nowMs;
        return;
    }
    const qint64 from = *m_blindMs;
    m_blindMs.reset();
    for (auto& [key, entry] : m_entries) {
        if (!entry.subject.kind ||
            (entry.phase != Phase::Pending && entry.phase != Phase::Clearing))
            continue;
        entry.phaseMs += nowMs - std::max(from, entry.phaseMs);
        schedule(key, entry);
    }
}

void AlertEngine::setMet(const QByteArray& key, Entry& entry, bool met, qint64 nowMs)
{
    entry.met = met;
    entry.restored = false;
    if (!met && std::exchange(entry.left, false))
        --m_notKept;
    if (met && entry.phase == Phase::Clear) {
        entry.phase = Phase::Pending;
        entry.phaseMs = nowMs;
    } else if (!met && entry.phase == Phase::Pending) {
        entry.phase = Phase::Clear;
    } else if (met && entry.phase == Phase::Clearing) {
        entry.phase = Phase::Firing;
    } else if (!met && entry.phase == Phase::Firing) {
        entry.phase = Phase::Clearing;
        entry.phaseMs = nowMs;
    }
    if (entry.phase == Phase::Clear && !entry.window && !entry.timed)
        drop(key, entry);
    else
        schedule(key, entry);
}

void AlertEngine::schedule(const QByteArray& key, Entry& entry)
{
    qint64 due = 0;
    const auto sooner = [&due](qint64 at) {
        if (at > 0 && (due == 0 || at < due))
            due = at;
    };
    if (entry.phase == Phase::Pending || entry.phase == Phase::Clearing)
        sooner(entry.phaseMs + ruleOf(entry).forMs);
    if (entry.window)
        sooner(entry.window->nextChangeMs(m_nowMs));
    if (staysRestored(entry, m_nowMs))
        sooner(entry.alert->firedMs + std::get<MetricCondition>(ruleOf(entry).condition).withinMs);
    if (entry.timed && !entry.met)
        sooner(reachedAtMs(std::get<MetricCondition>(ruleOf(entry).condition),
                           entry.timed->observed.sinceMs, entry.usualHoldMs));
    if (due == entry.dueMs)
        return;
    if (entry.dueMs != 0)
        m_agenda.erase({entry.dueMs, key});
    entry.dueMs = due;
    if (due != 0)
        m_agenda.insert({due, key});
}

qint64 AlertEngine::nextMs() const
{
    return m_ended.empty() ? m_agenda.empty() ? 0 : m_agenda.begin()->first : 1;
}

// Judges an entry whose value changes by time alone.
void AlertEngine::reread(Entry& entry, qint64 nowMs)
{
    if (entry.timed) {
        const auto& condition = std::get<MetricCondition>(ruleOf(entry).condition);
        if (const auto reading =
                readMetric(*entry.timed, condition.metric, nowMs, entry.usualHoldMs);
            reading.value)
            entry.value = *reading.value;
    }
}

std::vector<AlertEvent> AlertEngine::advance(qint64 nowMs)
{
    syncClock(nowMs);
    std::vector<AlertEvent> events;
    for (const AlertEvent& ended : std::exchange(m_ended, {})) {
        Alert alert = *ended.alert;
        alert.resolvedMs = std::max(nowMs, alert.firedMs);
        events.push_back({ended.type, std::make_shared<Alert>(std::move(alert))});
    }
    std::vector<std::pair<qint64, QByteArray>> later; // of what is not known now
    while (!m_agenda.empty() && m_agenda.begin()->first <= nowMs) {
        const QByteArray key = m_agenda.begin()->second;
        Entry& entry = m_entries.at(key);
        m_agenda.erase(m_agenda.begin());
        if (m_blindMs && entry.subject.kind) {
            later.emplace_back(entry.dueMs, key);
            continue;
        }
        const qint64 due = std::exchange(entry.dueMs, 0);
        if (entry.timed || entry.window) {
            reread(entry, nowMs);
            // It came to hold when it was due, however late this is asked.
            if (const bool met = judgeValue(entry, nowMs); met || !staysRestored(entry, nowMs))
                setMet(key, entry, met, std::max(due, entry.phaseMs));
            if (!m_entries.contains(key))
                continue;
        }
        if (auto event = step(key, entry, nowMs))
            events.push_back(std::move(*event));
    }
    for (const auto& [due, key] : later)
        m_agenda.insert({due, key});
    return events;
}

std::optional<AlertEvent> AlertEngine::step(const QByteArray& key, Entry& entry, qint64 nowMs)
{
    const bool ripe = nowMs - entry.phaseMs >= ruleOf(entry).forMs;
    std::optional<AlertEvent> event;
    if (entry.phase == Phase::Pending && ripe) {
        if (size_t(m_open.size()) >= mostOpen) {
            m_notKept += std::exchange(entry.left, true) ? 0 : 1;
            entry.phase = Phase::Clear; // until it is judged again
        } else {
            m_notKept -= std::exchange(entry.left, false) ? 1 : 0;
            entry.alert = makeAlert(key, entry, nowMs);
            entry.phase = Phase::Firing;
            m_open.insert(key);
            event = AlertEvent{AlertEvent::Type::Fired, entry.alert};
        }
    } else if (entry.phase == Phase::Clearing && ripe) {
        Alert alert = *entry.alert;
        alert.resolvedMs = std::max(nowMs, alert.firedMs);
        event = AlertEvent{AlertEvent::Type::Resolved, std::make_shared<Alert>(std::move(alert))};
        entry.alert.reset();
        entry.phase = Phase::Clear;
        m_open.remove(key);
        if (!entry.window && !entry.timed) {
            drop(key, entry);
            return event;
        }
    }
    schedule(key, entry);
    return event;
}

AlertPtr AlertEngine::makeAlert(const QByteArray& key, const Entry& entry, qint64 nowMs) const
{
    Alert alert;
    const AlertRule& rule = ruleOf(entry);
    alert.rule = rule.id();
    alert.severity = rule.severity;
    alert.kind = entry.subject.kind;
    alert.primitive = entry.subject.primitive;
    alert.name = entry.subject.name;
    alert.sinceMs = entry.phaseMs;
    alert.firedMs = nowMs;
    alert.text = textOf(entry);
    alert.id = QCryptographicHash::hash(m_deployment + '\0' + key + '\0' +
                                            QByteArray::number(entry.phaseMs),
                                        QCryptographicHash::Sha256)
                   .toHex()
                   .left(24);
    return std::make_shared<Alert>(std::move(alert));
}

QString AlertEngine::textOf(const Entry& entry) const
{
    const auto* metric = std::get_if<MetricCondition>(&ruleOf(entry).condition);
    return metric ? metricText(*metric, entry.value) : entry.text;
}

std::vector<AlertPtr> AlertEngine::open() const
{
    std::vector<AlertPtr> open;
    for (const QByteArray& key : m_open)
        open.push_back(m_entries.at(key).alert);
    std::sort(open.begin(), open.end(), [](const AlertPtr& a, const AlertPtr& b) {
        return std::tuple(b->severity, b->firedMs, b->id) <
               std::tuple(a->severity, a->firedMs, a->id);
    });
    return open;
}

bool AlertEngine::acknowledge(const QByteArray& id, const QString& by, qint64 nowMs)
{
    for (const QByteArray& key : m_open) {
        Entry& entry = m_entries.at(key);
        if (entry.alert->id != id || entry.alert->acknowledgedMs != 0)
            continue;
        Alert alert = *entry.alert;
        alert.acknowledgedMs = nowMs;
        alert.acknowledgedBy = by;
        entry.alert = std::make_shared<Alert>(std::move(alert));
        return true;
    }
    return false;
}

} // namespace lk
