// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alert.h"
#include "backend/alerts/alertrule.h"

#include <QDateTime>
#include <QHash>
#include <QSet>

#include <map>

namespace lk {

/// Decides which target is notified of what and when: not of what is silenced, not in quiet hours,
/// of many at once by one summary, and of a resolved alert only if it was notified that it had
/// fired. Pure: times are given,
/// milliseconds of this machine's clock.
class NotificationPlanner
{
public:
    /// More than so many at once for one target become one summary.
    static constexpr size_t mostAtOnce = 5;
    /// What comes so soon after the last ones waits, to go together.
    static constexpr qint64 gatherMs = 10'000;
    /// So many alerts are listed in a summary.
    static constexpr size_t mostListed = 20;

    using Notified = QHash<QByteArray, QSet<QByteArray>>; ///< targets by Alert::id

    void setSettings(const AlertSettings& settings);
    /// What was open before, and who knows of it.
    void restore(const std::vector<AlertPtr>& open, const Notified& notified);
    void add(const std::vector<AlertEvent>& events);
    void acknowledged(const QByteArray& id); ///< who was not notified yet need not be

    /// What is to be sent now; it counts as sent.
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
