// SPDX-License-Identifier: GPL-3.0-or-later
//
// The test of a connection, stage by stage: against real servers, through ssh and stunnel.
#include "backend/redis/check/connectioncheck.h"
#include "backend/redis/server/capabilities.h"
#include "backend/redis/topology/router.h"
#include "tests/support/faultserver.h"
#include "tests/support/rediscluster.h"
#include "tests/support/redissentinel.h"
#include "tests/support/sshserver.h"
#include "tests/support/testprogram.h"
#include "tests/support/tlsfront.h"
#include "tests/support/waiting.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;
using Outcome = CheckStage::Outcome;

namespace {

constexpr int patienceMs = 60'000;

// "tcp login permissions role", with ! behind a warning and !! behind what failed.
QString way(const ConnectionCheck& check)
{
    QStringList words;
    for (const CheckStage& stage : check.stages()) {
        const char* mark = stage.outcome == Outcome::Failed    ? "!!"
                           : stage.outcome == Outcome::Warning ? "!"
                                                               : "";
        words << stageId(stage.id) + QLatin1String(mark);
    }
    return words.join(QLatin1Char(' '));
}

QString textOf(const ConnectionCheck& check, CheckStage::Id id)
{
    QString text;
    for (const CheckStage& stage : check.stages()) {
        if (stage.id == id)
            text = stage.text;
    }
    return text;
}

bool run(ConnectionCheck& check)
{
    QSignalSpy finished(&check, &ConnectionCheck::finished);
    check.start();
    return finished.wait(patienceMs);
}

} // namespace

class TestConnectionCheck : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { m_server.flush(); }
    void tellsEachStage_data();
    void tellsEachStage();
    void whatFailsSaysWhatToDo_data();
    void whatFailsSaysWhatToDo();
    void throughSsh();
    void sshThatFails_data();
    void sshThatFails();
    void throughStunnel();
    void aUserWithLittle();
    void aReplica();
    void aCluster();
    void aClusterOfWhichInfoIsDenied();
    void aClusterWithANodeDown();
    void sentinels();
    void sentinelsOverTls_data();
    void sentinelsOverTls();
    void sentinelsThatKnowNothing();

private:
    RedisServer m_server;
};

void TestConnectionCheck::initTestCase()
{
    m_server.addTcp();
    QVERIFY2(m_server.start(), m_server.output());
}

void TestConnectionCheck::tellsEachStage_data()
{
    QTest::addColumn<ServerUrl>("url");
    QTest::addColumn<QString>("stages");
    ServerUrl named = m_server.tcpUrl();
    named.host = QStringLiteral("localhost");
    QTest::newRow("socket") << m_server.url() << QStringLiteral("socket login permissions role");
    QTest::newRow("address") << m_server.tcpUrl() << QStringLiteral("tcp login permissions role");
    QTest::newRow("name") << named << QStringLiteral("name tcp login permissions role");
}

void TestConnectionCheck::tellsEachStage()
{
    QFETCH(ServerUrl, url);
    QFETCH(QString, stages);
    m_server.run({"SET", "a", "1"});
    ConnectionCheck check(url, 5000);
    QVERIFY(run(check));
    QCOMPARE(way(check), stages);
    QVERIFY(!check.hasFailed() && !check.hasWarnings());
    for (const CheckStage& stage : check.stages())
        QVERIFY2(stage.ms >= 0 && !stage.text.isEmpty(), qPrintable(stageId(stage.id)));
    const ServerInfo info = ServerInfo::fromReply(m_server.line("INFO"));
    const QString program = flavourTitle(serverVersion(info).flavour) + u' ' + versionText(info);
    for (const QString& fact : {program, u"a master"_s, u"round trip"_s, u"1 key"_s})
        QVERIFY2(check.summary().contains(fact), qPrintable(check.summary()));
}

void TestConnectionCheck::whatFailsSaysWhatToDo_data()
{
    QTest::addColumn<QString>("address");
    QTest::addColumn<QString>("stages");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const QString& address, const char* stages,
                        const char* says) {
        QTest::newRow(name) << address << QString::fromLatin1(stages) << QString::fromLatin1(says);
    };
    const QString port = QString::number(m_server.port());
    row("no such name", QStringLiteral("redis://no-such-host.invalid"), "name!!",
        "Check the spelling");
    row("nobody there", QStringLiteral("redis://127.0.0.1:1"), "tcp!!",
        "Check that the server is running");
    row("no such socket", QStringLiteral("unix:///nowhere/r.sock"), "socket!!",
        "Check that the server is running");
    row("no TLS there", QStringLiteral("rediss://127.0.0.1:") + port, "tcp tls!!",
        "use redis:// instead of rediss://");
    row("a wrong password", QStringLiteral("redis://ann:x@127.0.0.1:") + port, "tcp login!!",
        "Enter the user name and password");
    row("no such database", QStringLiteral("redis://127.0.0.1:%1/99").arg(port), "tcp login!!",
        "refuses database 99: DB index is out of range");
}

void TestConnectionCheck::whatFailsSaysWhatToDo()
{
    QFETCH(QString, address);
    QFETCH(QString, stages);
    QFETCH(QString, says);
    ConnectionCheck check(*parseServerUrl(address), 5000);
    QVERIFY(run(check));
    QCOMPARE(way(check), stages);
    QVERIFY(check.hasFailed());
    QVERIFY2(check.stages().back().text.contains(says), qPrintable(check.stages().back().text));
}

void TestConnectionCheck::throughSsh()
{
    SshServer ssh;
    QVERIFY2(ssh.start(), ssh.output());
    ssh.useIt();
    ServerUrl url = m_server.tcpUrl();
    url.sshJump = QStringLiteral("jump");
    ConnectionCheck check(url, 10'000);
    QVERIFY(run(check));
    QCOMPARE(way(check), QStringLiteral("ssh tcp login permissions role"));
}

void TestConnectionCheck::sshThatFails_data()
{
    QTest::addColumn<QString>("jump");
    QTest::addColumn<quint16>("port");
    QTest::addColumn<QString>("stages");
    QTest::addColumn<QString>("says");
    QTest::newRow("its host key is unknown")
        << QStringLiteral("stranger") << m_server.port() << QStringLiteral("ssh!!")
        << QStringLiteral("verify and accept it with: ssh stranger");
    QTest::newRow("it takes no key of ours")
        << QStringLiteral("keyless") << m_server.port() << QStringLiteral("ssh!!")
        << QStringLiteral("Permission denied (publickey)");
    QTest::newRow("it may not forward")
        << QStringLiteral("strict") << m_server.port() << QStringLiteral("ssh tcp!!")
        << QStringLiteral("AllowTcpForwarding");
    QTest::newRow("nobody behind it")
        << QStringLiteral("jump") << quint16(1) << QStringLiteral("ssh tcp!!")
        << QStringLiteral("refused by 127.0.0.1:1, tried from jump");
}

void TestConnectionCheck::sshThatFails()
{
    QFETCH(QString, jump);
    QFETCH(quint16, port);
    QFETCH(QString, stages);
    QFETCH(QString, says);
    SshServer ssh;
    QVERIFY2(ssh.start(), ssh.output());
    ssh.useIt();
    ServerUrl url = m_server.tcpUrl();
    url.port = port;
    url.sshJump = jump;
    ConnectionCheck check(url, 10'000);
    QVERIFY(run(check));
    QCOMPARE(way(check), stages);
    QVERIFY2(check.stages().back().text.contains(says), qPrintable(check.stages().back().text));
}

void TestConnectionCheck::throughStunnel()
{
    TlsFront front;
    QVERIFY2(front.start({m_server.port()}), front.output());
    ServerUrl url = m_server.tcpUrl();
    url.scheme = ServerUrl::Scheme::Tls;
    url.port = front.portBefore(m_server.port());
    url.caFile = front.caFile();
    ConnectionCheck check(url, 10'000);
    QVERIFY(run(check));
    QCOMPARE(way(check), QStringLiteral("tcp tls login permissions role"));

    url.caFile.clear();
    ConnectionCheck untrusted(url, 10'000);
    QVERIFY(run(untrusted));
    QCOMPARE(way(untrusted), QStringLiteral("tcp tls!!"));
    QVERIFY(untrusted.stages().back().text.contains(QLatin1String("?ca=FILE")));

    url.caFile = front.caFile();
    Connection trusted(url, freeToWrite());
    QVERIFY(openAndWait(trusted));
    const QByteArray large(3'000'000, 'x');
    const BatchResult result = runAndWait(trusted, {{"SET", "k", large}, {"GET", "k"}});
    QVERIFY(result);
    QCOMPARE(result->at(1).text, large);
}

void TestConnectionCheck::aUserWithLittle()
{
    m_server.line("ACL SETUSER few on >pw ~* +@read +ping +client +acl|whoami");
    ServerUrl url = m_server.tcpUrl();
    url.user = QStringLiteral("few");
    url.password = QStringLiteral("pw");
    ConnectionCheck check(url, 5000);
    QVERIFY(run(check));
    QCOMPARE(way(check), QStringLiteral("tcp login permissions! role!"));
    QVERIFY(textOf(check, CheckStage::Id::Permissions).contains(QLatin1String("lockkeeper acl")));
    m_server.line("ACL DELUSER few");
}

void TestConnectionCheck::aReplica()
{
    RedisServer replica;
    replica.addTcp();
    QVERIFY2(replica.start(), replica.output());
    replica.run({"REPLICAOF", "127.0.0.1", QByteArray::number(m_server.port())});
    QTRY_VERIFY_WITH_TIMEOUT(replica.run({"INFO"}).text.contains("master_link_status:up"),
                             patienceMs);
    ConnectionCheck check(replica.tcpUrl(), 5000);
    QVERIFY(run(check));
    QCOMPARE(way(check), QStringLiteral("tcp login permissions role!"));
    QVERIFY2(
        textOf(check, CheckStage::Id::Role)
            .endsWith(
                QStringLiteral("to act, connect to its master 127.0.0.1:%1.").arg(m_server.port())),
        qPrintable(textOf(check, CheckStage::Id::Role)));
}

void TestConnectionCheck::aCluster()
{
    RedisCluster cluster;
    QVERIFY(cluster.start());
    ConnectionCheck check(cluster.node(1).tcpUrl(), 5000);
    QVERIFY(run(check));
    QCOMPARE(way(check), QStringLiteral("tcp login permissions role cluster"));
    QCOMPARE(textOf(check, CheckStage::Id::Cluster),
             QStringLiteral("All 3 masters can be reached"));
    ConnectionCheck alone(cluster.aloneUrl(1), 5000);
    QVERIFY(run(alone));
    QCOMPARE(way(alone), QStringLiteral("tcp login permissions role"));
}

// Its mode is unknown then, but its nodes are read all the same.
void TestConnectionCheck::aClusterOfWhichInfoIsDenied()
{
    RedisCluster cluster;
    QVERIFY(cluster.start());
    for (int i = 0; i < RedisCluster::size; ++i)
        QCOMPARE(cluster.node(i).line("ACL SETUSER ann on >PASSWORD ~* &* +@all -info").text, "OK");
    ServerUrl url = cluster.node(1).tcpUrl();
    url.user = QStringLiteral("ann");
    url.password = QStringLiteral("PASSWORD");
    ConnectionCheck check(url, 5000);
    QVERIFY(run(check));
    QVERIFY2(way(check).endsWith(QStringLiteral(" cluster")), qPrintable(way(check)));
    QCOMPARE(textOf(check, CheckStage::Id::Cluster),
             QStringLiteral("All 3 masters can be reached"));
}

void TestConnectionCheck::aClusterWithANodeDown()
{
    RedisCluster cluster;
    QVERIFY(cluster.start());
    const QString dead = cluster.node(2).tcpUrl().endpoint().section(QLatin1Char('/'), 0, 0);
    cluster.node(2).stop();
    ServerUrl url = cluster.node(2).tcpUrl(); // the first of those named is that one
    url.deployment = ServerUrl::Deployment::Cluster;
    url.others = {{QStringLiteral("127.0.0.1"), cluster.node(0).port()}};
    ConnectionCheck check(url, 10'000);
    QVERIFY(run(check));
    QCOMPARE(way(check), QStringLiteral("tcp! tcp login permissions role cluster!"));
    const QString said = textOf(check, CheckStage::Id::Cluster);
    QVERIFY2(said.startsWith(QStringLiteral("1 of 3 masters cannot be reached: %1 (").arg(dead)),
             qPrintable(said));
}

void TestConnectionCheck::sentinels()
{
    RedisSentinel group;
    group.setSentinelPassword("guard");
    QVERIFY(group.start());
    ServerUrl url = group.url(2);
    url.sentinelPassword = QStringLiteral("guard");
    ConnectionCheck check(url, 10'000);
    QVERIFY(run(check));
    QCOMPARE(way(check), QStringLiteral("tcp login sentinel tcp login permissions role"));
    QVERIFY(textOf(check, CheckStage::Id::Sentinel).contains(group.masterAddress().text()));

    url.sentinelPassword = QStringLiteral("wrong");
    ConnectionCheck refused(url, 10'000);
    QVERIFY(run(refused));
    QCOMPARE(way(refused), QStringLiteral("tcp login! tcp login!!"));
    QVERIFY(textOf(refused, CheckStage::Id::Login).contains(QLatin1String("sentinel_password")));

    url.sentinelPassword.clear();
    ConnectionCheck closed(url, 10'000);
    QVERIFY(run(closed));
    QCOMPARE(way(closed), QStringLiteral("tcp login! tcp login!!"));
    const QString said = textOf(closed, CheckStage::Id::Login);
    QVERIFY2(said.startsWith(QLatin1String("The Sentinels require a password of their own (")),
             qPrintable(said));
}

void TestConnectionCheck::sentinelsOverTls_data()
{
    QTest::addColumn<QByteArray>("user");
    QTest::newRow("open ones") << QByteArray();
    QTest::newRow("with a user of their own") << QByteArray("guard");
}

// stunnel before the Sentinels and before all servers, which announce what they are behind it.
void TestConnectionCheck::sentinelsOverTls()
{
    QFETCH(QByteArray, user);
    RedisSentinel group;
    if (!user.isEmpty()) {
        group.setSentinelUser(user);
        group.setSentinelPassword("s3cret");
    }
    QVERIFY(group.start());
    std::vector<ServerUrl::Address> plain;
    std::vector<quint16> ports;
    for (int i = 0; i < RedisSentinel::size; ++i) {
        plain.push_back(group.sentinel(i).address());
        plain.push_back(group.addressOf(i));
    }
    for (const ServerUrl::Address& address : plain)
        ports.push_back(address.port);
    TlsFront front;
    QVERIFY2(front.start(ports), front.output());
    ServerUrl url = group.url(1);
    url.scheme = ServerUrl::Scheme::Tls;
    url.caFile = front.caFile();
    url.port = front.portBefore(url.port);
    for (const ServerUrl::Address& address : plain)
        url.addressMap.push_back({address, {address.host, front.portBefore(address.port)}});
    ConnectionCheck check(url, 10'000);
    QVERIFY(run(check));
    QCOMPARE(way(check), QStringLiteral("tcp tls login sentinel tcp tls login permissions role"));

    Router router(url);
    router.open();
    QTRY_VERIFY_WITH_TIMEOUT(router.isReady(), patienceMs);
    const quint16 before = router.home().url().port;
    QVERIFY(group.failover());
    QTRY_VERIFY_WITH_TIMEOUT(router.isReady() && router.home().url().port != before, patienceMs);
    QCOMPARE(router.home().url().port, front.portBefore(group.masterAddress().port));
}

void TestConnectionCheck::sentinelsThatKnowNothing()
{
    RedisSentinel group;
    QVERIFY(group.start());
    ServerUrl url = group.url();
    url.masterName = QStringLiteral("other");
    ConnectionCheck check(url, 10'000);
    QVERIFY(run(check));
    QCOMPARE(way(check), QStringLiteral("tcp login sentinel!!"));
    QVERIFY(textOf(check, CheckStage::Id::Sentinel)
                .contains(QLatin1String("No Sentinel knows the master other")));
}

LK_TEST(TestConnectionCheck);
#include "tst_connectioncheck.moc"
