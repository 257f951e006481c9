// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alert.h"
#include "backend/alerts/alertidentity.h"
#include "backend/alerts/rules/notificationjson.h"
#include "backend/alerts/rules/notificationplanner.h"
#include "backend/alerts/store/alertdatabase.h"

#include <QLockFile>

#include <memory>
#include <utility>

namespace lk {

/// A notification to be delivered, as stored on disk.
struct QueuedDelivery
{
    QByteArray id;
    QByteArray target;
    QByteArray body; ///< JSON
    qint64 atMs = 0;
    int attempts = 0; ///< including the current one
};

/// Stores one deployment's alerts, the notified targets, the silences and the outbox. Several
/// programs may have it open; the one that holds the lock raises alerts. Blocks for the disk; lives
/// in one thread. Functions that fail return FileError.
class AlertStore
{
public:
    explicit AlertStore(const QString& path);

    Result<void> open(); ///< see AlertDatabase::open()
    /// Finds the stored deployment by its names: the first name that is known decides. Until
    /// identify() it can only be read.
    Result<void> resolve(const AlertIdentity& identity);
    /// Declares that these names are the same deployment: merges the data stored under several
    /// names, and stores the names. Releases the lock if it is another deployment than before.
    Result<void> identify(const AlertIdentity& identity);
    /// The name that it is stored under.
    const QString& deployment() const { return m_deployment; }
    /// True if another program has merged it with another deployment: call identify() again.
    bool isMoved() const;
    /// Takes the lock. True if this program raises this deployment's alerts from now on. The lock
    /// ends with the program, however that ends.
    bool lock();
    bool isLocked() const { return m_lock && m_lock->isLocked(); }
    bool isChangedByOthers() { return m_database.isChangedByOthers(); }

    /// The stored data of the deployment, without the outbox.
    struct Contents
    {
        std::vector<AlertPtr> open; ///< the newest first, as in past
        std::vector<AlertPtr> past; ///< bounded
        std::vector<Silence> silences;
        NotificationPlanner::Notified notified; ///< for the open alerts
    };
    Result<Contents> load() const;

    /// Stores events and their notifications in one transaction: no event is stored without them.
    Result<void> commit(const std::vector<AlertEvent>& events,
                        const std::vector<WrittenNotification>& messages);
    Result<void> acknowledge(const QByteArray& id, const QString& by, qint64 nowMs);
    Result<void> add(const Silence& silence);
    Result<void> endSilence(qint64 id);
    /// Removes obsolete data: silences that are over, delivered notifications, and alerts beyond
    /// Alerts::mostPast or older than 90 days.
    Result<void> prune(qint64 nowMs);

    /// How to treat an attempt that was begun and has no result, as of a program that crashed.
    enum class Unanswered : quint8 {
        SentAgain, ///< the receiver recognizes a repeated message by its id
        GivenUp,   ///< it may have been done, and must not be done twice
    };
    /// Claims the next notification that is due, for forMs against other programs, and stores that
    /// the attempt begins. Nothing if none is due. The notification that an alert is resolved waits
    /// for the one that it fired.
    Result<std::optional<QueuedDelivery>> claim(const QByteArray& target, qint64 nowMs,
                                                qint64 forMs, Unanswered unanswered);
    /// True if claim() has given up any notification since the last call.
    bool takeGivenUp() { return std::exchange(m_gaveUp, false); }
    Result<void> delivered(const QByteArray& id, qint64 nowMs);
    /// nextMs: the time of the next attempt; 0 for none.
    Result<void> notDelivered(const QByteArray& id, const QString& problem, qint64 nextMs,
                              qint64 nowMs);
    Result<std::vector<TargetStatus>> targets() const;
    /// Drops notifications that have waited for a day and go to none of these targets, as to a
    /// target that is no longer configured, or to a desktop if there is none.
    Result<void> forgetUnsent(const QByteArrayList& targets, qint64 nowMs);

private:
    Result<QString> keptAs(const QString& alias) const;
    Result<void> move(const QString& from, const QString& to);
    Result<void> keep(const AlertEvent& event);
    Result<void> queue(const WrittenNotification& message);
    Result<void> giveUp(const QByteArray& id, qint64 nowMs);

    AlertDatabase m_database;
    QString m_deployment;
    QString m_claimant; ///< distinguishes this program's claims from others'
    bool m_gaveUp = false;
    std::unique_ptr<QLockFile> m_lock; ///< null before identify()
};

} // namespace lk
