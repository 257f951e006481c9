// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/redisserver.h"

#include "tests/support/freeport.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QStandardPaths>
#include <QStorageInfo>

#include <csignal>
#include <sys/prctl.h>

namespace lk::test {

namespace {

// In memory where there is room for it: a node of a cluster waits for the disk before it answers,
// for ten seconds and more while others write. Else the system's own temporary folder: socket paths
// have to stay under 108 bytes.
QString serversFolder()
{
    constexpr qint64 roomyBytes = 256LL * 1024 * 1024;
    const QString memory = QStringLiteral("/dev/shm");
    const QStorageInfo storage(memory);
    const bool roomy = storage.fileSystemType() == "tmpfs" &&
                       storage.bytesAvailable() > roomyBytes && QFileInfo(memory).isWritable();
    return roomy ? memory : QDir::tempPath();
}

} // namespace

QString installedServer(const QString& name)
{
    QString cache = qEnvironmentVariable("XDG_CACHE_HOME");
    if (cache.isEmpty())
        cache = QDir::homePath() + QStringLiteral("/.cache");
    const QString program =
        cache + QStringLiteral("/lockkeeper-servers/") + name + QStringLiteral("/redis-server");
    return QFileInfo(program).isExecutable() ? program : QString();
}

RedisServer::RedisServer(QStringList arguments)
    : m_arguments(std::move(arguments))
    , m_folder(serversFolder() + QStringLiteral("/lk-XXXXXX"))
{
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    m_process.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
}

RedisServer::~RedisServer()
{
    stop();
}

void RedisServer::addTcp()
{
    m_port = freePort();
}

bool RedisServer::startWithoutWaiting()
{
    stop();
    m_output.clear();
    QStringList arguments{
        QStringLiteral("--port"),       QString::number(m_port),
        QStringLiteral("--bind"),       QStringLiteral("127.0.0.1"),
        QStringLiteral("--unixsocket"), socketPath(),
        QStringLiteral("--dir"),        folder(),
        QStringLiteral("--save"),       QString(),
        QStringLiteral("--appendonly"), QStringLiteral("no"),
    };
    m_process.start(QStandardPaths::findExecutable(m_program), arguments + m_arguments);
    return m_process.waitForStarted();
}

// The port of a cluster's bus is another program's now and then: it is 10,000 above the own one.
bool RedisServer::start()
{
    constexpr int mostTries = 4;
    for (int tries = 1; !startOnce(); ++tries) {
        if (m_port == 0 || m_hasStarted || tries == mostTries)
            return false;
        m_port = freePort();
    }
    m_hasStarted = true;
    return true;
}

bool RedisServer::startOnce()
{
    if (!startWithoutWaiting())
        return false;
    // Each flavour and version has words of its own for being ready: its output is only what wakes.
    QElapsedTimer since;
    since.start();
    while (!isReady()) {
        if (m_process.state() == QProcess::NotRunning || since.hasExpired(10'000))
            return false;
        m_process.waitForReadyRead(5);
        m_output += m_process.readAll();
    }
    return true;
}

// One that wants a password is ready, too.
bool RedisServer::isReady() const
{
    if (!QFileInfo::exists(socketPath()))
        return false;
    const QByteArray answer = RespClient(socketPath()).run({"PING"}).text;
    return !answer.startsWith("CLIENT") && !answer.startsWith("LOADING");
}

void RedisServer::stop()
{
    m_client.reset();
    if (m_process.state() == QProcess::NotRunning)
        return;
    m_process.kill(); // a frozen one, too, which then answers nothing more
    m_process.waitForFinished();
}

void RedisServer::freeze()
{
    ::kill(pid_t(m_process.processId()), SIGSTOP);
}

void RedisServer::thaw()
{
    ::kill(pid_t(m_process.processId()), SIGCONT);
}

ServerUrl RedisServer::url() const
{
    ServerUrl url;
    url.scheme = ServerUrl::Scheme::Unix;
    url.host.clear();
    url.port = 0;
    url.path = socketPath();
    return url;
}

ServerUrl RedisServer::tcpUrl() const
{
    ServerUrl url;
    url.port = m_port;
    return url;
}

RespClient& RedisServer::client()
{
    if (!m_client)
        m_client = std::make_unique<RespClient>(socketPath());
    return *m_client;
}

Reply RedisServer::lines(std::initializer_list<QByteArray> commands)
{
    Reply last;
    for (const QByteArray& command : commands)
        last = run(parseCommand(command));
    return last;
}

} // namespace lk::test
