// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alert.h"
#include "backend/alerts/delivery/notificationjson.h"
#include "backend/alerts/rules/notificationplanner.h"
#include "backend/alerts/store/alertdatabase.h"

#include <QLockFile>

namespace lk {

/// A notification that is to be delivered, as it stands on disk.
struct QueuedDelivery
{
    QByteArray id;
    QByteArray target;
    QByteArray body; ///< JSON
    qint64 atMs = 0;
    int attempts = 0; ///< with this one
};

/// What is kept of one deployment's alerts: the alerts, who was told, what is silenced, what is
/// still to be delivered. Several programs may have it open; the one that holds the lock raises
/// them. Blocks for the disk; lives in one thread.
class AlertStore
{
public:
    AlertStore(const QString& path, QString deployment);

    Result<void> open(); ///< see AlertDatabase::open()
    /// Whether this program raises this deployment's alerts from now on. The lock ends with it,
    /// however that ends.
    bool lock();
    bool isLocked() const { return m_lock.isLocked(); }
    bool isChangedByOthers() { return m_database.isChangedByOthers(); }

    struct Contents
    {
        std::vector<AlertPtr> open; ///< the newest first, as the next
        std::vector<AlertPtr> past; ///< bounded
        std::vector<Silence> silences;
        NotificationPlanner::Told told; ///< of the open ones
    };
    Result<Contents> load() const;

    /// What has happened and what is to be told of it, as one: an event that is kept is told.
    Result<void> commit(const std::vector<AlertEvent>& events,
                        const std::vector<WrittenNotification>& letters);
    Result<void> acknowledge(const QByteArray& id, const QString& by, qint64 nowMs);
    Result<void> add(const Silence& silence);
    Result<void> endSilence(qint64 id);
    /// What nobody asks for any more: silences that are over, what was delivered, alerts beyond
    /// Alerts::mostPast or older than 90 days.
    Result<void> prune(qint64 nowMs);

    /// Takes the next one that is due, for so long that nobody else does; nothing: there is none.
    /// What ends an alert waits for what told of it.
    Result<std::optional<QueuedDelivery>> claim(const QByteArray& target, qint64 nowMs,
                                                qint64 forMs);
    Result<void> delivered(const QByteArray& id, qint64 nowMs);
    /// nextMs: when it is tried again; 0: never.
    Result<void> notDelivered(const QByteArray& id, const QString& problem, qint64 nextMs,
                              qint64 nowMs);
    Result<std::vector<TargetStatus>> targets() const;

private:
    Result<void> keep(const AlertEvent& event);
    Result<void> queue(const WrittenNotification& letter);

    AlertDatabase m_database;
    QString m_deployment;
    QString m_claimant; ///< tells this program's claims from others'
    QLockFile m_lock;
};

} // namespace lk
