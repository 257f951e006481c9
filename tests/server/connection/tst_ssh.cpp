// SPDX-License-Identifier: GPL-3.0-or-later
//
// Servers that are reached through a jump host only, by the system's ssh and a real sshd.
#include "backend/redis/topology/router.h"
#include "backend/text/errortext.h"
#include "tests/support/rediscluster.h"
#include "tests/support/redissentinel.h"
#include "tests/support/sshserver.h"
#include "tests/support/testprogram.h"
#include "tests/support/waiting.h"

#include <QRegularExpression>

using namespace lk;
using namespace lk::test;
using Phase = ConnectionStatus::Phase;

namespace {

constexpr int patienceMs = 30'000; // ssh calculates a while on a busy machine

ServerUrl through(const QString& jump, ServerUrl url)
{
    url.sshJump = jump;
    return url;
}

bool ready(Router& router)
{
    router.open();
    return QTest::qWaitFor([&] { return router.isReady(); }, patienceMs);
}

} // namespace

class TestSsh : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { m_server.flush(); }
    void cleanup();
    void connects_data();
    void connects();
    void aServerThatCloses();
    void refuses_data();
    void refuses();
    void noSshAtAll();
    void aJumpHostThatGoesAndComes();
    void everyMasterOfACluster();
    void aSentinelGroup();
    void endsWithASlowLogin();

private:
    SshServer m_ssh;
    RedisServer m_server;
};

void TestSsh::initTestCase()
{
    m_server.addTcp();
    QVERIFY2(m_server.start(), m_server.output());
    QVERIFY2(m_ssh.start(), m_ssh.output());
    m_ssh.useIt();
}

// Whatever a test did, no ssh of it stays.
void TestSsh::cleanup()
{
    QTRY_COMPARE_WITH_TIMEOUT(SshServer::clients(), 0, patienceMs);
}

void TestSsh::connects_data()
{
    QTest::addColumn<QString>("jump");
    QTest::newRow("by a name of the configuration") << QStringLiteral("jump");
    QTest::newRow("with a port of its own") << QStringLiteral("jump:%1").arg(m_ssh.port());
    QTest::newRow("through two") << QStringLiteral("second");
}

void TestSsh::connects()
{
    QFETCH(QString, jump);
    Connection connection(through(jump, m_server.tcpUrl()), freeToWrite());
    connection.open();
    QVERIFY(waitForPhase(connection, Phase::Ready, patienceMs));
    const QByteArray large(3'000'000, 'x');
    const BatchResult result = runAndWait(connection, {{"SET", "k", large}, {"GET", "k"}});
    QVERIFY(result);
    QCOMPARE(result->at(1).text, large);
    QCOMPARE(SshServer::clients(), 1);
    connection.close();
}

// That the target closed is not taken for a trouble of ssh.
void TestSsh::aServerThatCloses()
{
    Connection::Options once = freeToWrite();
    once.reconnect = false;
    Connection connection(through(QStringLiteral("jump"), m_server.tcpUrl()), once);
    connection.open();
    QVERIFY(waitForPhase(connection, Phase::Ready, patienceMs));
    m_server.run({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
    QVERIFY(waitForPhase(connection, Phase::Lost, patienceMs));
    QCOMPARE(connection.status().error.code, ErrorCode::ServerClosed);
}

void TestSsh::refuses_data()
{
    QTest::addColumn<QString>("jump");
    QTest::addColumn<QString>("host");
    QTest::addColumn<ErrorCode>("code");
    QTest::addColumn<QString>("says");
    QTest::addColumn<bool>("triesAgain");
    const QString local = QStringLiteral("127.0.0.1");
    const auto row = [&](const char* name, const char* jump, const QString& host, ErrorCode code,
                         const char* says, bool triesAgain) {
        QTest::newRow(name) << QString::fromLatin1(jump) << host << code
                            << QString::fromLatin1(says) << triesAgain;
    };
    row("a host key that is not known", "stranger", local, ErrorCode::NotPossible,
        "The host key of the jump host stranger is unknown \\(Host key verification "
        "failed\\.\\); verify and accept it with: ssh stranger",
        false);
    row("no key that it takes", "keyless", local, ErrorCode::NotPossible,
        "The jump host keyless refused the login \\(.*Permission denied \\(publickey\\)\\.\\); "
        "first make this work without a prompt: ssh keyless",
        false);
    row("no forwarding", "strict", local, ErrorCode::NotPossible,
        "strict does not allow forwarding to 127\\.0\\.0\\.1:[0-9]+; .*", false);
    row("no such jump host", "no-such-host.invalid", local, ErrorCode::Network,
        "Connection failed: ssh to no-such-host\\.invalid: ssh: Could not resolve hostname .*",
        true);
    row("nobody at the jump host's port", "jump:1", local, ErrorCode::Network,
        "Connection failed: ssh to jump:1: ssh: connect to host 127\\.0\\.0\\.1 port 1: "
        "Connection refused",
        true);
    row("no such server behind it", "jump", QStringLiteral("no-such-host.invalid"),
        ErrorCode::NameNotFound, "Host not found: no-such-host.invalid, looked up by jump", true);
}

void TestSsh::refuses()
{
    QFETCH(QString, jump);
    QFETCH(QString, host);
    QFETCH(ErrorCode, code);
    QFETCH(QString, says);
    QFETCH(bool, triesAgain);
    ServerUrl url = through(jump, m_server.tcpUrl());
    url.host = host;
    Connection connection(url);
    connection.open();
    QVERIFY(waitForPhase(connection, Phase::Lost, patienceMs));
    const ConnectionStatus status = connection.status();
    QVERIFY2(QRegularExpression(QRegularExpression::anchoredPattern(says))
                 .match(errorText(status.error))
                 .hasMatch(),
             qPrintable(errorText(status.error)));
    QCOMPARE(status.error.code, code);
    QCOMPARE(status.nextTryInMs > 0, triesAgain);
}

void TestSsh::noSshAtAll()
{
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", "/nowhere");
    Connection connection(through(QStringLiteral("jump"), m_server.tcpUrl()));
    connection.open();
    const bool lost = waitForPhase(connection, Phase::Lost, patienceMs);
    qputenv("PATH", path);
    QVERIFY(lost);
    QCOMPARE(connection.status().error.code, ErrorCode::NotInstalled);
    QCOMPARE(connection.status().nextTryInMs, qint64(0));
}

void TestSsh::aJumpHostThatGoesAndComes()
{
    m_ssh.stop();
    Connection connection(through(QStringLiteral("jump"), m_server.tcpUrl()));
    connection.open();
    QVERIFY(waitForPhase(connection, Phase::Lost, patienceMs));
    QVERIFY(errorText(connection.status().error).contains(QLatin1String("Connection refused")));
    QVERIFY2(m_ssh.startAgain(), m_ssh.output());
    QVERIFY(waitForPhase(connection, Phase::Ready, patienceMs));
}

// Its nodes announce addresses that only the jump host need know.
void TestSsh::everyMasterOfACluster()
{
    RedisCluster cluster;
    QVERIFY(cluster.start());
    Router router(through(QStringLiteral("jump"), cluster.node(0).tcpUrl()));
    QVERIFY(ready(router));
    QCOMPARE(router.nodes().size(), size_t(RedisCluster::size));
    for (const NodeLink* node : router.nodes()) {
        QVERIFY2(node->isReady(), qPrintable(node->endpoint()));
        QCOMPARE(node->url().sshJump, QStringLiteral("jump"));
    }
    QCOMPARE(SshServer::clients(), RedisCluster::size);
    router.close();
}

void TestSsh::aSentinelGroup()
{
    RedisSentinel group;
    QVERIFY(group.start());
    Router router(through(QStringLiteral("jump"), group.url(1)));
    QVERIFY(ready(router));
    QCOMPARE(router.home().url().port, group.masterAddress().port);
    QCOMPARE(router.home().url().sshJump, QStringLiteral("jump"));
    router.close();
}

// Nothing waits for a connection that is no longer wanted.
void TestSsh::endsWithASlowLogin()
{
    auto connection =
        std::make_unique<Connection>(through(QStringLiteral("second"), m_server.tcpUrl()));
    connection->open();
    QTRY_COMPARE_WITH_TIMEOUT(SshServer::clients(), 1, patienceMs);
    connection.reset();
}

LK_TEST(TestSsh);
#include "tst_ssh.moc"
