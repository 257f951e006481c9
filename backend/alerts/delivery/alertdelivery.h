// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/delivery/sender.h"
#include "backend/alerts/store/alertstore.h"
#include "backend/core/clock.h"

#include <QHash>
#include <QSet>
#include <QTimer>

#include <map>

namespace lk {

/// Sends the notifications in the outbox, for each target separately and in order. Retries with
/// growing pauses until a notification is delivered or a day old. Lives in the alerts' thread.
class AlertDelivery final : public QObject
{
    Q_OBJECT

public:
    /// store and clock must outlive this object.
    AlertDelivery(AlertStore& store, const Clock& clock, QObject* parent);
    ~AlertDelivery() override;

    /// desktop: this program can show notifications.
    void setSettings(const AlertSettings& settings, bool desktop);
    /// Sends the notifications that are due.
    void sendDue();
    /// Drops old notifications that this program has no target for and that no other program sent.
    void forgetUnsent();
    /// Sends a test message at once, without retries. Emits tested() with the result.
    void test(const AlertSettings& settings, const QByteArray& target, const QString& deployment);
    /// Reports the result of desktopWanted(). id: the notification's; problem: empty if it is
    /// shown.
    void desktopAnswered(const QByteArray& id, const QString& problem);

signals:
    /// Emitted for a receiver that has a desktop. It shows the notification and calls
    /// desktopAnswered().
    void desktopWanted(const QByteArray& json);
    void tested(const QByteArray& target, const QString& problem);
    void changed(); ///< the result of AlertStore::targets() has changed
    void problem(const lk::Error& error);

private:
    struct Target
    {
        NotifyTarget settings;
        std::unique_ptr<Sender> sender; ///< null for the desktop
        bool busy = false;
    };
    void sendNext(Target& target);
    void onSent(const QByteArray& name, const QueuedDelivery& delivery, const SendResult& sent);
    template<typename T> bool fine(const Result<T>& result);

    AlertStore& m_store;
    const Clock& m_clock;
    std::map<QByteArray, Target> m_targets;
    QHash<QByteArray, QueuedDelivery> m_shown; ///< by id, until desktopAnswered()
    QSet<QByteArray> m_tests;                  ///< ids of desktop tests, until desktopAnswered()
};

} // namespace lk
