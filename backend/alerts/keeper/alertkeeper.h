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

/// Raises, keeps and tells one deployment's alerts. Where another program on this machine does that
/// already it only reads what that keeps, and takes over when that has ended. Lives in the alerts'
/// thread; every slot is called through the event loop.
class AlertKeeper final : public QObject
{
    Q_OBJECT

public:
    /// What it starts with. The clock is this machine's.
    struct Setup
    {
        QString file;           ///< see AlertDatabase
        AlertIdentity identity; ///< names under which it may be kept, until identify()
        QString title;          ///< what people call it
        bool desktop = false;   ///< desktopWanted() is listened to
        AlertSettings settings;
        const Clock* clock = nullptr; ///< not owned
    };

    explicit AlertKeeper(Setup setup);
    ~AlertKeeper() override;

public slots:
    void start();
    /// Which deployment it is: from then on alerts are raised, if no other program does that.
    void identify(const lk::AlertIdentity& identity);
    void stop(); ///< what is queued is delivered by whoever comes next

    // What is known of the deployment; see AlertEngine.
    void apply(const lk::DeltaPtr& delta);
    void setFindings(const lk::LiveFindingsPtr& findings);
    void setServer(const lk::ServerNumbers& numbers);
    void setServerOffset(qint64 ms); ///< server time minus local time
    void setLive(bool live);
    /// states: all there are.
    void restoreHolds(const std::vector<lk::PastHolds>& holds, const lk::DeltaPtr& states);
    void setScanned();
    /// states: all there are, for rules that are new.
    void setSettings(const lk::AlertSettings& settings, const lk::DeltaPtr& states);

    void acknowledge(const QByteArrayList& ids, const QString& by);
    void silence(const lk::Silence& silence);
    void endSilence(qint64 id);
    void test(const QByteArray& target);
    /// What came of desktopWanted(): by the notification's id; empty: it is shown.
    void desktopAnswered(const QByteArray& id, const QString& problem);
    void everySecond(); ///< by a timer, once started

signals:
    void changed(const lk::AlertsPtr& alerts);
    void happened(const std::vector<lk::AlertEvent>& events); ///< raised here
    /// A notification as JSON, for a program that has a desktop; it answers by desktopAnswered().
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
    std::vector<WrittenNotification> m_unsavedMessages; ///< as these
    std::vector<Silence> m_silences;
    std::optional<Error> m_openProblem; ///< they are in memory only
    std::optional<Error> m_problem;
    qint64 m_offsetMs = 0;
    int m_pruneIn = 0; ///< seconds
    bool m_raises = false;
    bool m_changed = true; ///< since they were published
};

} // namespace lk
