// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/clientprocess.h"

#include "tests/support/redisserver.h"

#include <QCryptographicHash>
#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QStandardPaths>

#include <csignal>
#include <sys/prctl.h>

namespace lk::test {
namespace {

constexpr int patienceMs = 60'000;

QString clientsFolder()
{
    return QStringLiteral(LK_CLIENTS);
}

// Debian's packages are for Debian's own interpreters, whatever else comes first on the path.
QString interpreterOf(const QString& folder)
{
    if (folder == QLatin1String("js"))
        return QStandardPaths::findExecutable(QStringLiteral("node"));
    const QString name = folder == QLatin1String("python") ? QStringLiteral("python3") : folder;
    return QStandardPaths::findExecutable(name, {QStringLiteral("/usr/bin")});
}

// Where tests/clients/install puts them.
QString jsModules()
{
    QFile list(clientsFolder() + QStringLiteral("/js/package.json"));
    if (!list.open(QIODevice::ReadOnly))
        return {};
    const QByteArray digest =
        QCryptographicHash::hash(list.readAll(), QCryptographicHash::Sha256).toHex().first(16);
    QString cache = qEnvironmentVariable("XDG_CACHE_HOME");
    if (cache.isEmpty())
        cache = QDir::homePath() + QStringLiteral("/.cache");
    return cache + QStringLiteral("/lockkeeper-clients/") + QString::fromLatin1(digest);
}

} // namespace

ClientProcess::ClientProcess(const RedisServer& server)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("LOCKKEEPER_CLIENT_SOCKET"), server.socketPath());
    environment.insert(QStringLiteral("LOCKKEEPER_CLIENT_MODULES"), jsModules());
    environment.insert(QStringLiteral("PYTHONDONTWRITEBYTECODE"), QStringLiteral("1"));
    m_process.setProcessEnvironment(environment);
    m_process.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
}

ClientProcess::~ClientProcess()
{
    die();
}

QJsonObject ClientProcess::start(const QString& script, const QStringList& arguments)
{
    die();
    m_output.clear();
    m_process.start(interpreterOf(script.section(u'/', 0, 0)),
                    QStringList{clientsFolder() + u'/' + script} + arguments);
    return answer();
}

QJsonObject ClientProcess::ask(const QByteArray& command)
{
    m_process.write(command + '\n');
    return answer();
}

void ClientProcess::die()
{
    if (m_process.state() == QProcess::NotRunning)
        return;
    m_process.kill();
    m_process.waitForFinished();
}

QJsonObject ClientProcess::answer()
{
    const QDeadlineTimer deadline(patienceMs);
    while (!m_process.canReadLine()) {
        if (!m_process.waitForReadyRead(int(deadline.remainingTime()))) {
            m_output += m_process.readAllStandardError();
            m_output += "\nno answer";
            return {};
        }
    }
    const QByteArray line = m_process.readLine();
    m_output += line + m_process.readAllStandardError();
    const QJsonObject object = QJsonDocument::fromJson(line).object();
    return object.contains(QLatin1String("error")) ? QJsonObject() : object;
}

QString ClientProcess::missing(const QString& folder)
{
    if (interpreterOf(folder).isEmpty())
        return QStringLiteral("no interpreter for tests/clients/%1").arg(folder);
    if (folder == QLatin1String("js") &&
        !QDir(jsModules() + QStringLiteral("/node_modules")).exists())
        return QStringLiteral("tests/clients/install was not run or had no network");
    // The last of what app/packages --tests installs for each.
    static const std::pair<const char*, const char*> packages[] = {
        {"python", "/usr/lib/python3/dist-packages/flask_limiter"},
        {"ruby", "/usr/lib/ruby/vendor_ruby/sidekiq-reliable-fetch.rb"},
        {"php", "/usr/share/php/Illuminate/Queue"}};
    for (const auto& [name, path] : packages) {
        if (folder == QLatin1String(name) && !QFile::exists(QLatin1String(path)))
            return QStringLiteral("app/packages --tests could not install them");
    }
    return {};
}

bool ClientProcess::required()
{
    return qEnvironmentVariable("LOCKKEEPER_CLIENTS_REQUIRED") == QLatin1String("1");
}

} // namespace lk::test
