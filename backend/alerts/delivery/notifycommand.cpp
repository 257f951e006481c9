// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/alerts/delivery/notifycommand.h"

#include "backend/core/names/foreigntext.h"
#include "backend/platform/children.h"

#include <QProcess>
#include <QTimer>

namespace lk {

namespace {

constexpr int shownCharacters = 200;
constexpr qsizetype heardBytes = 4096;

} // namespace

NotifyCommand::NotifyCommand(NotifyTarget target, QByteArrayList secrets)
    : m_target(std::move(target))
    , m_secrets(std::move(secrets))
{}

NotifyCommand::~NotifyCommand()
{
    if (!m_process)
        return;
    m_process->disconnect(this);
    killGroup(*m_process);
    m_process->waitForFinished(1000);
}

void NotifyCommand::send(const Message& message, Done done)
{
    m_done = std::move(done);
    m_process = new QProcess(this);
    m_process->setProgram(m_target.command.front());
    m_process->setArguments(m_target.command.mid(1));
    m_process->setStandardOutputFile(QProcess::nullDevice());
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove(QStringLiteral("LOCKKEEPER_PASSWORD"));
    environment.remove(QStringLiteral("LOCKKEEPER_UNDO_KEY"));
    for (const QByteArray& secret : m_secrets)
        environment.remove(QString::fromUtf8(secret));
    environment.insert(QStringLiteral("LOCKKEEPER_EVENT"), QString::fromLatin1(message.id));
    environment.insert(QStringLiteral("LOCKKEEPER_ATTEMPT"), QString::number(message.attempt));
    m_process->setProcessEnvironment(environment);
    startInOwnGroup(*m_process);
    connect(m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        if (status == QProcess::NormalExit && code == 0)
            return end({});
        hear();
        const QByteArray said = m_said.trimmed();
        const QString why =
            foreignText(QString::fromUtf8(
                            said.left(said.indexOf('\n') < 0 ? said.size() : said.indexOf('\n'))))
                .left(shownCharacters);
        const QString how = status == QProcess::NormalExit ? tr("exit code %1").arg(code)
                                                           : tr("killed by a signal");
        end({why.isEmpty() ? how : QStringLiteral("%1: %2").arg(how, why), false});
    });
    connect(m_process, &QProcess::readyReadStandardError, this, &NotifyCommand::hear);
    m_said.clear();
    m_process->start();
    // If forking fails, start() reports it before it returns. The result is delivered later, by the
    // event loop.
    const auto fail = [this] {
        end({tr("%1 cannot be started: %2")
                 .arg(m_target.command.front(), foreignText(m_process->errorString())),
             false});
    };
    if (m_process->state() == QProcess::NotRunning) {
        QMetaObject::invokeMethod(m_process, fail, Qt::QueuedConnection);
        return;
    }
    connect(m_process, &QProcess::errorOccurred, this, [fail](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            fail();
    });
    auto* limit = new QTimer(m_process);
    limit->setSingleShot(true);
    connect(limit, &QTimer::timeout, this, [this] {
        m_process->disconnect(this);
        killGroup(*m_process);
        end({tr("timed out and was stopped"), false});
    });
    limit->start(int(m_target.timeoutMs));
    m_process->write(message.body + '\n');
    m_process->closeWriteChannel();
}

// The beginning is enough, however much comes.
void NotifyCommand::hear()
{
    const QByteArray more = m_process->readAllStandardError();
    m_said += more.left(heardBytes - m_said.size());
}

void NotifyCommand::end(const SendResult& sent)
{
    // Not while it is telling of its end.
    QProcess* process = std::exchange(m_process, nullptr);
    process->disconnect(this);
    process->setParent(nullptr);
    connect(process, &QProcess::finished, process, &QObject::deleteLater);
    process->closeReadChannel(QProcess::StandardError);
    if (process->state() == QProcess::NotRunning)
        process->deleteLater();
    const Done done = std::exchange(m_done, nullptr);
    done(sent);
}

} // namespace lk
