// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/redissentinel.h"

#include "tests/support/freeport.h"

#include <QDir>
#include <QFile>
#include <QStandardPaths>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <sys/prctl.h>

namespace lk::test {

namespace {

constexpr int patienceMs = 60'000; // Sentinels do nothing for 30 s after their clock has jumped

} // namespace

SentinelProcess::SentinelProcess()
    : m_folder(QDir::tempPath() + QStringLiteral("/lk-XXXXXX"))
{
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    m_process.setStandardOutputFile(m_folder.filePath(QStringLiteral("log")));
    m_process.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
}

SentinelProcess::~SentinelProcess()
{
    stop();
}

bool SentinelProcess::start(const QByteArray& configuration, const QString& host)
{
    m_host = host;
    m_port = freePort(); // of IPv6 it is as free
    QFile file(m_folder.filePath(QStringLiteral("s.conf")));
    if (!file.open(QIODevice::WriteOnly))
        return false;
    file.write("port " + QByteArray::number(m_port) + "\nbind " + host.toUtf8() + "\ndir " +
               m_folder.path().toUtf8() + "\nunixsocket " + m_folder.path().toUtf8() + "/s.sock\n" +
               configuration);
    file.close();
    const auto told = [&configuration](const QByteArray& setting) {
        const qsizetype at = configuration.indexOf(setting + ' ');
        return at < 0 ? QByteArray()
                      : configuration.mid(at + setting.size() + 1).split('\n').front();
    };
    m_user = told("sentinel sentinel-user");
    m_password = told("sentinel sentinel-pass");
    return startAgain();
}

bool SentinelProcess::startAgain()
{
    m_process.start(QStandardPaths::findExecutable(QStringLiteral("redis-server")),
                    {m_folder.filePath(QStringLiteral("s.conf")), QStringLiteral("--sentinel")});
    const auto watches = [this] {
        m_client.reset(); // not connected so far
        return masterField("name") == "mymaster";
    };
    return m_process.waitForStarted() && QTest::qWaitFor(watches, patienceMs);
}

void SentinelProcess::stop()
{
    m_client.reset();
    if (!isRunning())
        return;
    m_process.kill(); // a frozen one, too, which then answers nothing more
    m_process.waitForFinished();
}

void SentinelProcess::freeze()
{
    if (isRunning()) // process 0 would be this test itself
        ::kill(pid_t(m_process.processId()), SIGSTOP);
}

void SentinelProcess::thaw()
{
    if (isRunning())
        ::kill(pid_t(m_process.processId()), SIGCONT);
}

Reply SentinelProcess::run(const Command& command)
{
    if (!m_client) {
        m_client = std::make_unique<RespClient>(m_folder.filePath(QStringLiteral("s.sock")));
        if (!m_user.isEmpty())
            m_client->run({"AUTH", m_user, m_password});
        else if (!m_password.isEmpty())
            m_client->run({"AUTH", m_password});
    }
    return m_client->run(command);
}

QByteArray SentinelProcess::masterField(const QByteArray& field)
{
    const Reply reply = run({"SENTINEL", "MASTER", "mymaster"});
    for (size_t i = 0; i + 1 < reply.items.size(); i += 2) {
        if (reply.items[i].text == field)
            return reply.items[i + 1].text;
    }
    return {};
}

QByteArray RedisSentinel::configuration() const
{
    QByteArray text =
        "sentinel monitor mymaster " + m_host.toUtf8() + ' ' +
        QByteArray::number(m_servers[0]->port()) +
        " 2\nsentinel down-after-milliseconds mymaster " + QByteArray(m_isQuick ? "3000" : "500") +
        "\nsentinel failover-timeout mymaster " + QByteArray(m_isQuick ? "2000\n" : "4000\n");
    if (!m_password.isEmpty())
        text += "sentinel auth-pass mymaster " + m_password + '\n';
    if (!m_sentinelUser.isEmpty())
        text += "user default off\nuser " + m_sentinelUser + " on >" + m_sentinelPassword +
                " +@all ~* &*\nsentinel sentinel-user " + m_sentinelUser + '\n';
    else if (!m_sentinelPassword.isEmpty())
        text += "requirepass " + m_sentinelPassword + '\n';
    if (!m_sentinelPassword.isEmpty())
        text += "sentinel sentinel-pass " + m_sentinelPassword + '\n';
    return text;
}

bool RedisSentinel::start()
{
    for (int i = 0; i < size; ++i) {
        auto& server = m_servers[size_t(i)];
        server = std::make_unique<RedisServer>();
        server->addTcp();
        QStringList arguments{QStringLiteral("--repl-diskless-sync-delay"), QStringLiteral("0"),
                              QStringLiteral("--bind"), m_host};
        if (i > 0)
            arguments +=
                {QStringLiteral("--replicaof"), m_host, QString::number(m_servers[0]->port())};
        if (!m_password.isEmpty())
            arguments += {QStringLiteral("--requirepass"), QString::fromLatin1(m_password),
                          QStringLiteral("--masterauth"), QString::fromLatin1(m_password)};
        server->setArguments(arguments);
        if (!server->start())
            return false;
    }
    const auto replicated = [this] {
        return line(0, "ROLE").items.back().items.size() == size - 1;
    };
    if (!QTest::qWaitFor(replicated, patienceMs))
        return false;
    for (SentinelProcess& each : m_sentinels) {
        if (!each.start(configuration(), m_host))
            return false;
        // On a machine that is busy they would do nothing for half a minute again and again.
        each.run({"SENTINEL", "DEBUG", "TILT-TRIGGER", "10000", "TILT-PERIOD", "3000"});
        if (m_isQuick)
            each.run({"SENTINEL", "DEBUG", "PUBLISH-PERIOD", "300", "INFO-PERIOD", "500",
                      "ASK-PERIOD", "300"});
    }
    return QTest::qWaitFor(
        [this] {
            return std::all_of(m_sentinels.begin(), m_sentinels.end(), [](SentinelProcess& each) {
                return each.masterField("num-slaves") == "2" &&
                       each.masterField("num-other-sentinels") == "2";
            });
        },
        patienceMs);
}

ServerUrl RedisSentinel::url(int sentinels) const
{
    ServerUrl url;
    url.deployment = ServerUrl::Deployment::Sentinel;
    url.masterName = QStringLiteral("mymaster");
    url.host = m_host;
    url.port = m_sentinels[0].port();
    for (int i = 1; i < sentinels; ++i)
        url.others.push_back(m_sentinels[size_t(i)].address());
    url.password = QString::fromLatin1(m_password);
    url.sentinelUser = QString::fromLatin1(m_sentinelUser);
    url.sentinelPassword = QString::fromLatin1(m_sentinelPassword);
    return url;
}

ServerUrl::Address RedisSentinel::addressOf(int server) const
{
    const bool known = server >= 0 && server < size;
    return {m_host, known ? m_servers[size_t(server)]->port() : quint16(0)};
}

Reply RedisSentinel::line(int i, const QByteArray& command)
{
    if (i < 0)
        return Reply::error("no master");
    RespClient client(server(i).socketPath());
    if (!m_password.isEmpty())
        client.run({"AUTH", m_password});
    return client.run(parseCommand(command));
}

int RedisSentinel::masterIndex()
{
    const auto first = std::find_if(m_sentinels.begin(), m_sentinels.end(),
                                    [](const SentinelProcess& each) { return each.isRunning(); });
    const QByteArray named = first == m_sentinels.end() ? QByteArray() : first->masterField("port");
    for (int i = 0; i < size; ++i) {
        if (m_silent[size_t(i)] || named != QByteArray::number(addressOf(i).port))
            continue;
        const Reply role = line(i, "ROLE");
        return !role.items.empty() && role.items.front().text == "master" ? i : -1;
    }
    return -1;
}

bool RedisSentinel::isWhole()
{
    const int master = masterIndex();
    if (master < 0)
        return false;
    for (SentinelProcess& each : m_sentinels) {
        if (each.isRunning() &&
            each.masterField("port") != QByteArray::number(addressOf(master).port))
            return false;
    }
    const auto running = std::count(m_silent.begin(), m_silent.end(), false);
    return line(master, "ROLE").items.back().items.size() == size_t(running - 1);
}

bool RedisSentinel::failover()
{
    const int before = masterIndex();
    const auto first = std::find_if(m_sentinels.begin(), m_sentinels.end(),
                                    [](const SentinelProcess& each) { return each.isRunning(); });
    if (first == m_sentinels.end() || before < 0)
        return false;
    // Refused while an earlier one is too young.
    const auto begun = [&] {
        return first->run({"SENTINEL", "FAILOVER", "mymaster"}).text == "OK";
    };
    return QTest::qWaitFor(begun, patienceMs) && waitForOtherMaster(before);
}

void RedisSentinel::killMaster()
{
    const int master = masterIndex();
    if (master < 0)
        return;
    server(master).stop();
    m_silent[size_t(master)] = true;
}

bool RedisSentinel::startKilled()
{
    for (int i = 0; i < size; ++i) {
        if (std::exchange(m_silent[size_t(i)], false) && !server(i).start())
            return false;
    }
    return QTest::qWaitFor([this] { return isWhole(); }, patienceMs); // it becomes a replica
}

void RedisSentinel::freeze(int i)
{
    m_silent[size_t(i)] = true;
    server(i).freeze();
}

void RedisSentinel::thaw()
{
    for (int i = 0; i < size; ++i) {
        if (std::exchange(m_silent[size_t(i)], false))
            server(i).thaw();
    }
}

bool RedisSentinel::waitForOtherMaster(int before)
{
    return QTest::qWaitFor([&] { return masterIndex() != before && isWhole(); }, patienceMs);
}

} // namespace lk::test
