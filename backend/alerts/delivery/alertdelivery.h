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

/// Sends what the outbox holds, each target for itself and in order, again and again with growing
/// pauses until it is delivered or a day old. Lives in the alerts' thread.
class AlertDelivery final : public QObject
{
    Q_OBJECT

public:
    /// Both outlive this.
    AlertDelivery(AlertStore& store, const Clock& clock, QObject* parent);
    ~AlertDelivery() override;

    /// desktop: this program can show notifications.
    void setSettings(const AlertSettings& settings, bool desktop);
    /// Something may be due.
    void sendDue();
    /// What nobody here can send, and nobody else has, is not kept for ever.
    void forgetUnsent();
    /// Sends at once and once; tested() tells what came of it.
    void test(const AlertSettings& settings, const QByteArray& target, const QString& deployment);
    /// What came of desktopWanted(): by the notification's id; empty: it is shown.
    void desktopAnswered(const QByteArray& id, const QString& problem);

signals:
    /// To be shown by who has a desktop, and answered by desktopAnswered().
    void desktopWanted(const QByteArray& json);
    void tested(const QByteArray& target, const QString& problem);
    void changed(); ///< AlertStore::targets() answers otherwise
    void problem(const lk::Error& error);

private:
    struct Target
    {
        NotifyTarget settings;
        std::unique_ptr<Sender> sender; ///< null: the desktop
        bool busy = false;
    };
    void sendNext(Target& target);
    void onSent(const QByteArray& name, const QueuedDelivery& delivery, const SendResult& sent);
    template<typename T> bool fine(const Result<T>& result);

    AlertStore& m_store;
    const Clock& m_clock;
    std::map<QByteArray, Target> m_targets;
    QHash<QByteArray, QueuedDelivery> m_shown; ///< by their ids, until desktopAnswered()
    QSet<QByteArray> m_tests;                  ///< the same of what only tries the desktop
};

} // namespace lk
