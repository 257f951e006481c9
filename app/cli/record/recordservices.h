// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/ownthread.h"
#include "backend/report/metrics/metricsendpoint.h"
#include "backend/session/session.h"

#include <QHash>
#include <QObject>

namespace lk {

class SessionRecorder;

/// The services that run beside a recording: raises, delivers and records alerts, and serves
/// metrics to Prometheus. Ends after the sessions. Lives in the main thread.
class RecordServices final : public QObject
{
    Q_OBJECT

public:
    /// alertFile: the file that stores the alerts.
    explicit RecordServices(QString alertFile);

    void prepare(Session::Setup& setup);
    /// Called before the session is started; lasts until it ends.
    void follow(Session& session, SessionRecorder& recorder);
    /// address: as on the command line. Errors: BadArgument, NotPossible.
    Result<void> listen(const QString& address, const QString& passwordFile);
    quint16 port() const { return m_metrics.port(); }

private:
    void tellProblem(const Session& session);

    QString m_alertFile;
    OwnThread m_thread{QStringLiteral("alerts")};
    std::vector<const Session*> m_sessions;
    MetricsEndpoint m_metrics;
    QHash<const Session*, QString> m_told; ///< the last line about what cannot be kept
};

/// Sends one test notification to a target of the configuration and prints the result. Returns the
/// program's exit code.
int runTestNotification(const AlertSettings& settings, const QString& target);

} // namespace lk
