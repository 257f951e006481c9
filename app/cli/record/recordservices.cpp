// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/record/recordservices.h"

#include "app/process/exitcodes.h"
#include "app/process/output.h"
#include "backend/alerts/delivery/testnotification.h"
#include "backend/session/alerting/alertevents.h"
#include "backend/session/recording/sessionrecorder.h"
#include "backend/session/sessionalerts.h"
#include "backend/text/errortext.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFile>

namespace lk {

RecordServices::RecordServices(QString alertFile)
    : m_alertFile(std::move(alertFile))
{}

void RecordServices::prepare(Session::Setup& setup)
{
    setup.alertFile = m_alertFile;
    setup.alertThread = &m_thread;
}

void RecordServices::follow(Session& session, SessionRecorder& recorder)
{
    m_sessions.push_back(&session);
    m_metrics.setSessions(m_sessions);
    connect(&session, &QObject::destroyed, this, [this, ended = &session] {
        std::erase(m_sessions, ended);
        m_told.remove(ended);
        m_metrics.setSessions(m_sessions);
    });
    if (!session.alerts())
        return;
    recordAlerts(
        *session.alerts(), session, recorder,
        [&recorder](std::vector<RecordedEvent> events) { recorder.addEvents(std::move(events)); });
    connect(session.alerts(), &SessionAlerts::changed, this,
            [this, &session] { tellProblem(session); });
}

void RecordServices::tellProblem(const Session& session)
{
    const std::optional<Error>& problem = session.alerts()->alerts()->problem;
    const QString line =
        problem ? tr("Alerts cannot be stored: %1").arg(errorText(*problem)) : QString();
    if (std::exchange(m_told[&session], line) != line && !line.isEmpty())
        tellLine(line);
}

namespace {

// Returns the file's first line. Fails if users other than its owner may read or write it.
Result<QByteArray> passwordIn(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return failure(ErrorCode::FileError,
                       RecordServices::tr("%1 cannot be read: %2").arg(path, file.errorString()));
    constexpr auto others =
        QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther;
    if (file.permissions() & others)
        return failure(ErrorCode::FileError,
                       RecordServices::tr("%1 is not private: run chmod 600 on it").arg(path));
    const QByteArray password = file.readLine(4096).trimmed();
    if (password.isEmpty())
        return failure(ErrorCode::FileError,
                       RecordServices::tr("%1 has no password in its first line").arg(path));
    return password;
}

} // namespace

Result<void> RecordServices::listen(const QString& address, const QString& passwordFile)
{
    const Result<ListenAddress> where = parseListenAddress(address);
    if (!where)
        return tl::unexpected(where.error());
    if (!passwordFile.isEmpty()) {
        const Result<QByteArray> password = passwordIn(passwordFile);
        if (!password)
            return tl::unexpected(password.error());
        m_metrics.setPassword(*password);
    }
    const Result<void> listens = m_metrics.listen(*where);
    if (listens)
        tellLine(tr("Serving http://%1:%2/metrics")
                     .arg(where->host.isEmpty() ? QStringLiteral("0.0.0.0")
                          : where->host.contains(QLatin1Char(':'))
                              ? QLatin1Char('[') + where->host + QLatin1Char(']')
                              : where->host)
                     .arg(port()));
    if (listens && !where->isLoopback() && passwordFile.isEmpty())
        tellLine(tr("Every machine that reaches this port can read names of queues and limiters; "
                    "use --listen-password-file, or listen on 127.0.0.1"));
    return listens;
}

int runTestNotification(const AlertSettings& settings, const QString& target)
{
    QObject context;
    QString said;
    QMetaObject::invokeMethod(
        &context,
        [&] {
            sendTestNotification(settings, target.toUtf8(), RecordServices::tr("a test"),
                                 QDateTime::currentMSecsSinceEpoch(), &context,
                                 [&](const QString& problem) {
                                     said = problem;
                                     QCoreApplication::exit();
                                 });
        },
        Qt::QueuedConnection);
    QCoreApplication::exec();
    if (!said.isEmpty())
        return reportError({ErrorCode::NotPossible,
                            RecordServices::tr("%1: the test notification was not delivered: %2")
                                .arg(target, said)});
    Output out;
    out.print(RecordServices::tr("%1: the test notification was delivered").arg(target) +
              QLatin1Char('\n'));
    return out.end(ExitDone);
}

} // namespace lk
