// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/demo/servers/demoserver.h"

#include "backend/core/names/keyname.h"
#include "backend/platform/children.h"
#include "backend/redis/connection.h"

#include <QDir>
#include <QFile>
#include <QStandardPaths>
#include <QTemporaryDir>

namespace lk {

namespace {

constexpr int startTimeoutMs = 10'000;
constexpr int retryMs = 5;
/// The capacity of sun_path without the terminating zero.
constexpr qsizetype maxSocketPath = 107;

QStringList arguments(const DemoServer::Options& options, const QString& folder,
                      const QString& socket)
{
    QStringList all{
        QStringLiteral("--port"),
        QString::number(options.port),
        QStringLiteral("--bind"),
        QStringLiteral("127.0.0.1"),
        QStringLiteral("--unixsocket"),
        socket,
        QStringLiteral("--unixsocketperm"),
        QStringLiteral("700"),
        QStringLiteral("--dir"),
        folder,
        QStringLiteral("--save"),
        QString(),
        QStringLiteral("--appendonly"),
        QStringLiteral("no"),
        QStringLiteral("--daemonize"),
        QStringLiteral("no"),
        QStringLiteral("--loglevel"),
        QStringLiteral("warning"),
        QStringLiteral("--maxmemory"),
        QStringLiteral("256mb"),
    };
    if (!options.password.isEmpty())
        all << QStringLiteral("--requirepass") << options.password;
    if (options.clustered)
        all << QStringLiteral("--cluster-enabled") << QStringLiteral("yes")
            << QStringLiteral("--cluster-node-timeout") << QStringLiteral("5000");
    return all;
}

} // namespace

DemoServer::DemoServer(QObject* parent)
    : DemoServer(Options(), parent)
{}

DemoServer::DemoServer(Options options, QObject* parent)
    : QObject(parent)
    , m_options(std::move(options))
{
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    m_retry.setInterval(retryMs);
    connect(&m_retry, &QTimer::timeout, this, &DemoServer::tryToConnect);
    connect(&m_process, &QProcess::started, this, &DemoServer::waitForSocket);
    connect(&m_process, &QProcess::finished, this, &DemoServer::ended);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            fail({ErrorCode::FileError,
                  m_process.program() + QStringLiteral(": ") + m_process.errorString()});
    });
}

DemoServer::~DemoServer()
{
    m_process.disconnect(this);
    m_probe.reset();
    if (m_process.state() != QProcess::NotRunning) {
        m_process.kill();
        m_process.waitForFinished();
    }
}

QString DemoServer::folder() const
{
    return m_folder ? m_folder->path() : QString();
}

void DemoServer::start()
{
    // Runs from the event loop, so that the caller can connect to the signals after this call.
    QTimer::singleShot(0, this, [this] {
        const QString program = QStandardPaths::findExecutable(QStringLiteral("redis-server"));
        if (program.isEmpty()) {
            fail({ErrorCode::NotInstalled, tr("redis-server is not installed; on Debian: "
                                              "sudo apt-get install redis-server")});
            return;
        }
        launch(program);
    });
}

Result<QString> DemoServer::makeFolder()
{
    QString error;
    // The system's folder for temporary files may be too deep for the name of a socket.
    for (const QString& place : {QDir::tempPath(), QStringLiteral("/tmp")}) {
        m_folder = std::make_unique<QTemporaryDir>(place + QStringLiteral("/lockkeeper-XXXXXX"));
        if (!m_folder->isValid()) {
            error = place + QStringLiteral(": ") + m_folder->errorString();
            continue;
        }
        const QString socket = m_folder->filePath(QStringLiteral("redis.sock"));
        if (QFile::encodeName(socket).size() <= maxSocketPath)
            return socket;
        error = tr("%1: the name is too long for a socket").arg(socket);
    }
    m_folder.reset();
    return failure(ErrorCode::FileError, error);
}

void DemoServer::launch(const QString& program)
{
    const Result<QString> socket = makeFolder();
    if (!socket) {
        fail(socket.error());
        return;
    }
    m_url.scheme = ServerUrl::Scheme::Unix;
    m_url.path = *socket;
    m_url.password = m_options.password;
    endWithParent(m_process);
    m_process.setProgram(program);
    m_process.setArguments(arguments(m_options, m_folder->path(), *socket));
    m_sinceStart.start();
    m_process.start(QIODevice::ReadOnly);
}

void DemoServer::waitForSocket()
{
    m_probe = std::make_unique<Connection>(m_url);
    connect(m_probe.get(), &Connection::statusChanged, this,
            [this](const ConnectionStatus& status) {
                if (status.phase != ConnectionStatus::Phase::Ready || m_ready || m_failed)
                    return;
                m_ready = true;
                m_retry.stop();
                m_probe.release()->deleteLater(); // it is the sender
                emit ready();
            });
    m_retry.start();
}

void DemoServer::tryToConnect()
{
    if (m_sinceStart.elapsed() > startTimeoutMs) {
        fail({ErrorCode::Timeout, tr("redis-server was starting")});
        return;
    }
    if (m_probe->status().phase == ConnectionStatus::Phase::Lost)
        m_probe->retryNow();
    else if (m_probe->status().phase == ConnectionStatus::Phase::Closed &&
             QFile::exists(m_url.path))
        m_probe->open();
}

void DemoServer::ended()
{
    const QByteArray output = m_process.readAll().trimmed();
    const QString lastLine = displayName(output.mid(output.lastIndexOf('\n') + 1));
    QString detail =
        m_process.exitStatus() == QProcess::CrashExit
            ? tr("the demo's redis-server crashed or was killed")
            : tr("the demo's redis-server exited with code %1").arg(m_process.exitCode());
    if (!lastLine.isEmpty())
        detail += QStringLiteral(": ") + lastLine;
    fail({ErrorCode::Network, detail});
}

void DemoServer::fail(Error error)
{
    if (m_failed)
        return;
    m_failed = true;
    m_ready = false;
    m_retry.stop();
    emit failed(error);
}

} // namespace lk
