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

/// A notification that is to be delivered, as it stands on disk.
struct QueuedDelivery
{
    QByteArray id;
    QByteArray target;
    QByteArray body; ///< JSON
    qint64 atMs = 0;
    int attempts = 0; ///< with this one
};

/// What is kept of one deployment's alerts: the alerts, who was notified, what is silenced, what is
/// still to be delivered. Several programs may have it open; the one that holds the lock raises
/// them. Blocks for the disk; lives in one thread. Errors of all that can fail: FileError.
class AlertStore
{
public:
    explicit AlertStore(const QString& path);

    Result<void> open(); ///< see AlertDatabase::open()
    /// Under which names it is kept; the first that is known decides which of those that are kept
    /// it is. Until identify() it can only be read.
    Result<void> resolve(const AlertIdentity& identity);
    /// That these names are one and the same deployment: what was kept under several is put
    /// together, and the names are remembered. Gives the lock up if it is another one than before.
    Result<void> identify(const AlertIdentity& identity);
    /// The name under which it is kept.
    const QString& deployment() const { return m_deployment; }
    /// Another program has found out that it is the same as another one: identify() again.
    bool isMoved() const;
    /// Whether this program raises this deployment's alerts from now on. The lock ends with it,
    /// however that ends.
    bool lock();
    bool isLocked() const { return m_lock && m_lock->isLocked(); }
    bool isChangedByOthers() { return m_database.isChangedByOthers(); }

    /// All that is kept of the deployment, but for what is to be delivered.
    struct Contents
    {
        std::vector<AlertPtr> open; ///< the newest first, as the next
        std::vector<AlertPtr> past; ///< bounded
        std::vector<Silence> silences;
        NotificationPlanner::Notified notified; ///< of the open ones
    };
    Result<Contents> load() const;

    /// What has happened and its notifications, as one: no event is kept without them.
    Result<void> commit(const std::vector<AlertEvent>& events,
                        const std::vector<WrittenNotification>& messages);
    Result<void> acknowledge(const QByteArray& id, const QString& by, qint64 nowMs);
    Result<void> add(const Silence& silence);
    Result<void> endSilence(qint64 id);
    /// What nobody asks for any more: silences that are over, what was delivered, alerts beyond
    /// Alerts::mostPast or older than 90 days.
    Result<void> prune(qint64 nowMs);

    /// What becomes of an attempt that was begun and never answered, as by a program that died.
    enum class Unanswered : quint8 {
        SentAgain, ///< the other end knows what it has had by its id
        GivenUp,   ///< nobody knows whether it was done, and done twice it would be wrong
    };
    /// Takes the next one that is due, for so long that nobody else does, and notes that the
    /// attempt begins; nothing: there is none. What ends an alert waits for the notification that
    /// it fired.
    Result<std::optional<QueuedDelivery>> claim(const QByteArray& target, qint64 nowMs,
                                                qint64 forMs, Unanswered unanswered);
    /// Whether claim() has given up any since this was asked last.
    bool takeGivenUp() { return std::exchange(m_gaveUp, false); }
    Result<void> delivered(const QByteArray& id, qint64 nowMs);
    /// nextMs: when it is tried again; 0: never.
    Result<void> notDelivered(const QByteArray& id, const QString& problem, qint64 nextMs,
                              qint64 nowMs);
    Result<std::vector<TargetStatus>> targets() const;
    /// What has waited for a day and goes to none of these targets is not sent any more: a target
    /// that is configured no longer, a desktop where there is none.
    Result<void> forgetUnsent(const QByteArrayList& targets, qint64 nowMs);

private:
    Result<QString> keptAs(const QString& alias) const;
    Result<void> move(const QString& from, const QString& to);
    Result<void> keep(const AlertEvent& event);
    Result<void> queue(const WrittenNotification& message);
    Result<void> giveUp(const QByteArray& id, qint64 nowMs);

    AlertDatabase m_database;
    QString m_deployment;
    QString m_claimant; ///< tells this program's claims from others'
    bool m_gaveUp = false;
    std::unique_ptr<QLockFile> m_lock; ///< null before identify()
};

} // namespace lk
