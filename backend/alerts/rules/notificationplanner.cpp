// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/alerts/rules/notificationplanner.h"

#include "backend/alerts/rules/quiethours.h"

#include <QCryptographicHash>

#include <algorithm>

namespace lk {

namespace {

QByteArray idOf(const QByteArray& target, Notification::Type type, const QByteArray& alerts)
{
    return QCryptographicHash::hash(target + '\0' + QByteArray::number(int(type)) + '\0' + alerts,
                                    QCryptographicHash::Sha256)
        .toHex()
        .left(32);
}

Notification one(const QByteArray& target, Notification::Type type, const AlertPtr& alert,
                 qint64 nowMs)
{
    return {idOf(target, type, alert->id),
            target,
            type,
            nowMs,
            {alert},
            type == Notification::Type::Fired ? QByteArrayList{alert->id} : QByteArrayList(),
            type == Notification::Type::Fired ? 1 : 0,
            type == Notification::Type::Resolved ? 1 : 0};
}

} // namespace

void NotificationPlanner::setSettings(const AlertSettings& settings)
{
    m_settings = settings;
    m_targets.clear();
    for (const AlertRule& rule : rulesInForce(settings))
        m_targets.insert(rule.id(), targetsOf(rule, settings));
}

QByteArrayList NotificationPlanner::targets(const Alert& alert) const
{
    return m_targets.value(alert.rule);
}

void NotificationPlanner::restore(const std::vector<AlertPtr>& open, const Notified& notified)
{
    m_notified = notified;
    for (const AlertPtr& alert : open) {
        if (alert->acknowledgedMs != 0)
            continue;
        for (const QByteArray& target : targets(*alert)) {
            if (!m_notified.value(alert->id).contains(target))
                m_waiting[target].fired.push_back(alert);
        }
    }
}

void NotificationPlanner::add(const std::vector<AlertEvent>& events)
{
    for (const AlertEvent& event : events) {
        if (event.type == AlertEvent::Type::Fired) {
            for (const QByteArray& target : targets(*event.alert))
                m_waiting[target].fired.push_back(event.alert);
            continue;
        }
        // A former target that was notified also waits for the end.
        for (const QByteArray& target : m_notified.take(event.alert->id))
            m_waiting[target].resolved.push_back(event.alert);
        acknowledged(event.alert->id);
    }
}

void NotificationPlanner::acknowledged(const QByteArray& id)
{
    for (auto& [target, waiting] : m_waiting)
        std::erase_if(waiting.fired, [&](const AlertPtr& alert) { return alert->id == id; });
}

std::vector<Notification> NotificationPlanner::due(const QDateTime& now,
                                                   const std::vector<Silence>& silences)
{
    const qint64 nowMs = now.toMSecsSinceEpoch();
    const auto quiet = [&](const AlertPtr& alert) {
        return isQuiet(m_settings.quiet, alert->severity, now);
    };
    const auto silenced = [&](const AlertPtr& alert) {
        return std::any_of(silences.begin(), silences.end(),
                           [&](const Silence& s) { return s.covers(*alert, nowMs); });
    };
    std::vector<Notification> out;
    for (auto& [target, waiting] : m_waiting) {
        if (nowMs < waiting.nextMs && waiting.nextMs - nowMs <= gatherMs)
            continue;
        const auto take = [](std::vector<AlertPtr>& from, const auto& stays) {
            const auto ripe = std::stable_partition(from.begin(), from.end(), stays);
            std::vector<AlertPtr> taken(ripe, from.end());
            from.erase(ripe, from.end());
            return taken;
        };
        std::vector<AlertPtr> fired = take(
            waiting.fired, [&](const AlertPtr& alert) { return quiet(alert) || silenced(alert); });
        // A receiver that counts open alerts also needs the end of those silenced meanwhile.
        std::vector<AlertPtr> resolved = take(waiting.resolved, quiet);
        if (fired.empty() && resolved.empty())
            continue;
        for (const AlertPtr& alert : fired)
            m_notified[alert->id].insert(target);
        waiting.nextMs = nowMs + gatherMs;
        addNotifications(target, std::move(fired), std::move(resolved), nowMs, out);
    }
    return out;
}

void NotificationPlanner::addNotifications(const QByteArray& target, std::vector<AlertPtr> fired,
                                           std::vector<AlertPtr> resolved, qint64 nowMs,
                                           std::vector<Notification>& out) const
{
    using Type = Notification::Type;
    if (fired.size() + resolved.size() <= mostAtOnce) {
        for (const AlertPtr& alert : fired)
            out.push_back(one(target, Type::Fired, alert, nowMs));
        for (const AlertPtr& alert : resolved)
            out.push_back(one(target, Type::Resolved, alert, nowMs));
        return;
    }
    Notification summary;
    summary.target = target;
    summary.type = Type::Summary;
    summary.atMs = nowMs;
    summary.fired = qint64(fired.size());
    summary.resolved = qint64(resolved.size());
    QByteArray ids;
    for (const AlertPtr& alert : fired) {
        ids += '+' + alert->id;
        summary.notified << alert->id;
    }
    for (const AlertPtr& alert : resolved)
        ids += '-' + alert->id;
    summary.id = idOf(target, Type::Summary, ids);
    const auto worse = [](const AlertPtr& a, const AlertPtr& b) {
        return a->severity > b->severity;
    };
    std::stable_sort(fired.begin(), fired.end(), worse);
    std::stable_sort(resolved.begin(), resolved.end(), worse);
    summary.alerts = std::move(fired);
    summary.alerts.insert(summary.alerts.end(), resolved.begin(), resolved.end());
    if (summary.alerts.size() > mostListed)
        summary.alerts.resize(mostListed);
    out.push_back(std::move(summary));
}

} // namespace lk
