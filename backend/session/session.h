// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/executor/actionfiles.h"
#include "backend/config/config.h"
#include "backend/core/clock.h"
#include "backend/session/monitor/monitorlimits.h"
#include "backend/session/monitor/sessionsource.h"

#include <QObject>
#include <QPointer>

#include <memory>

class QThread;

namespace lk {

class FirstSeenStore;
class Monitor;
class SessionActing;
class SessionAlerts;
class SessionBoard;
class SessionFindings;
class SessionHistory;
class SessionJobs;
class SessionPolling;
class SessionSearch;
class SessionSeries;
class SessionStates;

/// One deployment as the widgets see it: values arrive, requests go out. Lives in the GUI thread.
/// Owns a Monitor in the I/O thread, and its facets, each with what it owns in the worker thread.
/// Ends them when it is destroyed. Never blocks.
///
/// A session in the past has a source of recorded states instead of the Monitor. All widgets show
/// the values of that time, and no action can reach the server.
class Session final : public QObject
{
    Q_OBJECT

public:
    /// The parameters of a session. Objects that it does not own must outlive it.
    struct Setup
    {
        ServerUrl url;
        Config config;
        QString configFile;      ///< the file of config, which the user may edit
        QString name;            ///< the server's display name; empty: its endpoint
        QString environment;     ///< "production", "staging", ...; empty: none
        QString firstSeenPath;   ///< the file for first-seen records; empty: they are not stored
        ActionFiles actionFiles; ///< empty: the session stays read-only; with a thread
        QString alertFile;       ///< the file for alerts; empty: this session raises none
        QThread* alertThread = nullptr;  ///< with alertFile: a running thread; not owned
        QThread* ioThread = nullptr;     ///< running; not owned
        QThread* workerThread = nullptr; ///< running; not owned
        const Clock* clock = nullptr;    ///< not owned; safe in every thread
        MonitorLimits limits;
    };

    explicit Session(Setup setup, QObject* parent = nullptr);
    /// Creates a session in the past of a live one, which must outlive it. source reports the same
    /// deployment at another time. Takes ownership of source, which has no parent and lives in
    /// setup.ioThread from now on.
    Session(Setup setup, SessionSource* source, Session& live, QObject* parent = nullptr);
    ~Session() override;

    void start();

    bool isPast() const { return m_live != this; }
    /// Returns the live session of the same deployment: itself, unless it is in the past.
    Session* live() const { return m_live; }
    /// The parameters, for a session in the past of this one.
    const Setup& setup() const { return m_setup; }

    SessionStates& states() const { return *m_states; }
    SessionPolling& polling() const { return *m_polling; }
    SessionBoard& board() const { return *m_board; }
    SessionFindings& findings() const { return *m_findings; }
    SessionSeries& series() const { return *m_series; }
    SessionJobs& jobs() const { return *m_jobs; }
    SessionActing& acting() const { return *m_acting; }
    SessionSearch& search() const { return *m_search; }
    /// Null if this session raises no alerts.
    SessionAlerts* alerts() const { return m_alerts; }
    /// The recorded history of this deployment; null if there is none. Not owned.
    SessionHistory* history() const;
    void setHistory(SessionHistory* history);
    /// Ends all connections of the session and of its facets, but those of alerts(), to receiver.
    void disconnectAll(const QObject* receiver);

    const ServerUrl& url() const { return m_setup.url; }
    QString name() const { return m_setup.name.isEmpty() ? m_setup.url.endpoint() : m_setup.name; }
    /// Its name and, if different, its endpoint; without user or password.
    QString title() const;
    const QString& environment() const { return m_setup.environment; }
    const Config& config() const { return m_setup.config; }
    const QString& configFile() const { return m_setup.configFile; }
    const ConnectionStatus& status() const { return m_status; }
    const MonitorReport& report() const { return m_report; }
    const ServerInfo& info() const { return m_info; }
    /// The server's current time, as accurately as it is known.
    qint64 serverNowMs() const;
    /// True if new values arrive: connected, not paused, and not in the past.
    bool isLive() const;

public slots:
    void retryNow();
    /// Sets the login and reconnects.
    void setPassword(const QString& user, const QString& password);
    void setSentinelPassword(const QString& user, const QString& password);
    /// Applies new declarations. Keeps everything else: connection, write mode, auto-requeue,
    /// recorded numbers, undo history.
    void applyConfig(const lk::Config& config);
    /// Emits configEdited() after its configuration file was written.
    void noteConfigEdited() { emit configEdited(); }
    /// Sets globs over the names of the locks of the server groups that are declared with the
    /// session: a key of such a name is a vote.
    void setRedlockNames(const QByteArrayList& globs);

signals:
    void statusChanged(const lk::ConnectionStatus& status);
    void reported(const lk::MonitorReport& report);
    void infoChanged(const lk::ServerInfo& info);
    /// The server has become a replica of that master (empty: not known). The session is read-only.
    void demoted(const QString& master);
    /// First-seen records cannot be stored. The ages of items begin anew at the next start.
    void firstSeenFailed(const lk::Error& error);
    /// The declarations in the file have changed. The owner of the session reads the file and calls
    /// applyConfig().
    void configEdited();
    void historyChanged();

private:
    Session(Setup setup, SessionSource* source, Monitor* monitor, Session* live, QObject* parent);
    void connectSource();
    void keepFirstSeen();

    Setup m_setup;
    SessionSource* m_source;           ///< lives in the I/O thread
    Monitor* m_monitor;                ///< the same object; null in the past
    Session* m_live;                   ///< this, unless in the past
    FirstSeenStore* m_store = nullptr; ///< lives in the worker thread; may be null
    ConnectionStatus m_status;
    MonitorReport m_report;
    ServerInfo m_info;
    QPointer<SessionHistory> m_history;
    // Each may use those before it.
    std::unique_ptr<SessionStates> m_states;
    std::unique_ptr<SessionPolling> m_polling;
    std::unique_ptr<SessionBoard> m_board;
    std::unique_ptr<SessionFindings> m_findings;
    std::unique_ptr<SessionSeries> m_series;
    std::unique_ptr<SessionJobs> m_jobs;
    std::unique_ptr<SessionActing> m_acting;
    std::unique_ptr<SessionSearch> m_search;
    SessionAlerts* m_alerts = nullptr; ///< a child; may be null
};

} // namespace lk
