// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alert.h"
#include "backend/alerts/alertidentity.h"
#include "backend/alerts/rules/alertengine.h"
#include "backend/alerts/rules/notificationjson.h"
#include "backend/alerts/rules/notificationplanner.h"
#include "backend/core/clock.h"

#include <QObject>
#include <QTimer>

namespace lk {

class AlertDelivery;
class AlertStore;

/// Raises, stores and publishes one deployment's alerts. If another program on this machine already
/// does so, it only reads that program's alerts, and takes over when that program has ended. Lives
/// in the alerts' thread; every slot is called through the event loop.
class AlertKeeper final : public QObject
{
    Q_OBJECT

public:
    /// The initial data. The clock is this machine's.
    struct Setup
    {
        QString file;           ///< see AlertDatabase
        AlertIdentity identity; ///< names that it may be stored under, until identify()
        QString title;          ///< the displayed name
        bool desktop = false;   ///< a receiver handles desktopWanted()
        AlertSettings settings;
        const Clock* clock = nullptr; ///< not owned
    };

    explicit AlertKeeper(Setup setup);
    ~AlertKeeper() override;

public slots:
    void start();
    /// Sets the deployment's identity. From then on it raises alerts, if no other program does.
    void identify(const lk::AlertIdentity& identity);
    void stop(); ///< queued notifications are left for the next program

    // Data of the deployment; see AlertEngine.
    void apply(const lk::DeltaPtr& delta);
    void setFindings(const lk::LiveFindingsPtr& findings);
    void setServer(const lk::ServerNumbers& numbers);
    void setServerOffset(qint64 ms); ///< server time minus local time
    void setLive(bool live);
    /// states: all states.
    void restoreHolds(const std::vector<lk::PastHolds>& holds, const lk::DeltaPtr& states);
    void setScanned();
    /// states: all states, for new rules.
    void setSettings(const lk::AlertSettings& settings, const lk::DeltaPtr& states);

    void acknowledge(const QByteArrayList& ids, const QString& by);
    void silence(const lk::Silence& silence);
    void endSilence(qint64 id);
    void test(const QByteArray& target);
    /// Reports the result of desktopWanted(). id: the notification's; problem: empty if it is
    /// shown.
    void desktopAnswered(const QByteArray& id, const QString& problem);
    void everySecond(); ///< called by a timer after start()

signals:
    void changed(const lk::AlertsPtr& alerts);
    void happened(const std::vector<lk::AlertEvent>& events); ///< raised by this program
    /// Emitted with a notification as JSON, for a receiver that has a desktop. It calls
    /// desktopAnswered().
    void desktopWanted(const QByteArray& json);
    void tested(const QByteArray& target, const QString& problem);

private:
    qint64 serverNowMs() const { return m_setup.clock->nowMs() + m_offsetMs; }
    void takeOver();
    void raise();
    void takeFromOthers();
    void publish();
    void setProblem(const std::optional<Error>& problem);

    Setup m_setup;
    std::unique_ptr<AlertStore> m_store;
    AlertEngine m_engine;
    NotificationPlanner m_planner;
    AlertDelivery* m_delivery; ///< a child; ends before the store
    QTimer m_second{this};
    std::vector<AlertEvent> m_events;                   ///< not on disk yet
    std::vector<WrittenNotification> m_unsavedMessages; ///< not on disk yet
    std::vector<Silence> m_silences;
    std::optional<Error> m_openProblem; ///< why alerts are in memory only
    std::optional<Error> m_problem;
    qint64 m_offsetMs = 0;
    int m_pruneIn = 0; ///< seconds
    bool m_raises = false;
    bool m_changed = true; ///< since the last publish()
};

} // namespace lk
