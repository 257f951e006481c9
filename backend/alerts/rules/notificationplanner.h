// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alert.h"
#include "backend/alerts/alertrule.h"

#include <QDateTime>
#include <QHash>
#include <QSet>

#include <map>

namespace lk {

/// Decides which target is notified of which alerts and when: not of silenced alerts, not in quiet
/// hours, by one summary for many at once, and of a resolved alert only if it was notified that it
/// had fired. Pure: the caller passes times, in milliseconds of this machine's clock.
class NotificationPlanner
{
public:
    /// The limit of notifications at once to one target; more become one summary.
    static constexpr size_t mostAtOnce = 5;
    /// The time after a notification in which further ones wait, to be sent together.
    static constexpr qint64 gatherMs = 10'000;
    /// The limit of alerts listed in a summary.
    static constexpr size_t mostListed = 20;

    using Notified = QHash<QByteArray, QSet<QByteArray>>; ///< targets by Alert::id

    void setSettings(const AlertSettings& settings);
    /// Restores the alerts that were open before, and the targets that were notified of them.
    void restore(const std::vector<AlertPtr>& open, const Notified& notified);
    void add(const std::vector<AlertEvent>& events);
    void acknowledged(const QByteArray& id); ///< targets that were not notified yet will not be

    /// Returns the notifications to send now; they count as sent.
    std::vector<Notification> due(const QDateTime& now, const std::vector<Silence>& silences);
    const Notified& notified() const { return m_notified; }

private:
    struct Waiting
    {
        std::vector<AlertPtr> fired;
        std::vector<AlertPtr> resolved;
        qint64 nextMs = 0;
    };
    QByteArrayList targets(const Alert& alert) const;
    void addNotifications(const QByteArray& target, std::vector<AlertPtr> fired,
                          std::vector<AlertPtr> resolved, qint64 nowMs,
                          std::vector<Notification>& out) const;

    AlertSettings m_settings;
    QHash<QByteArray, QByteArrayList> m_targets; ///< by AlertRule::id()
    std::map<QByteArray, Waiting> m_waiting;     ///< by target
    Notified m_notified;
};

} // namespace lk
