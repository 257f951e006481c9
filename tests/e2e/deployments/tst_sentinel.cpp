// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/e2e/program.h"
#include "tests/support/faultproxy.h"
#include "tests/support/redissentinel.h"
#include "tests/support/testprogram.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace lk;
using namespace Qt::StringLiterals;
using test::Program;

/// The commands on a Sentinel group.
class TestSentinel : public QObject
{
    Q_OBJECT

private:
    QString urlText() const { return m_group.url().withoutPassword(); }
    test::RedisSentinel m_group;

private slots:
    void initTestCase() { QVERIFY(m_group.start()); }
    void snapshotNamesTheMaster();
    void actsOnTheMasterAlone();
    void actsOnTheNewMaster();
    void jobsAreTheMasters();
    void permissionsAreTheMasters();
    void anUnknownOutcomeIsReadOnTheMaster();
    void anUnknownNameIsOneLine();
    void aSnapshotGoesOnBehindAFailover();
    void aSentinelIsNoServer();
};

void TestSentinel::snapshotNamesTheMaster()
{
    m_group.lineOnMaster("SET lock:a me PX 600000");
    Program program;
    QVERIFY(program.run({u"snapshot"_s, u"--format"_s, u"json"_s, urlText()}));
    QVERIFY2(program.exitCode() == 0, program.err().constData());
    const QJsonObject root = QJsonDocument::fromJson(program.out()).object();
    const QJsonObject server = root["server"_L1].toObject();
    QCOMPARE(server["mode"_L1].toString(), u"sentinel"_s);
    QCOMPARE(server["role"_L1].toString(), u"master"_s);
    QCOMPARE(server["endpoint"_L1].toString(), m_group.url().endpoint());
    const QJsonObject node = server["nodes"_L1].toArray().first().toObject();
    QCOMPARE(node["endpoint"_L1].toString(), m_group.masterAddress().text());
    QCOMPARE(node["role"_L1].toString(), u"master"_s);
    QCOMPARE(node["reachable"_L1].toBool(), true);
    QCOMPARE(server["nodes"_L1].toArray().size(), test::RedisSentinel::size);
    for (int i = 1; i < test::RedisSentinel::size; ++i) {
        const QJsonObject replica = server["nodes"_L1].toArray().at(i).toObject();
        QCOMPARE(replica["role"_L1].toString(), u"replica"_s);
        QCOMPARE(replica["master"_L1].toString(), m_group.masterAddress().text());
        QCOMPARE(replica["reachable"_L1].toBool(), true);
        QVERIFY(replica["lag_bytes"_L1].isDouble());
    }
    QCOMPARE(root["locks"_L1].toArray().first().toObject()["name"_L1].toString(), u"lock:a"_s);
}

void TestSentinel::actsOnTheMasterAlone()
{
    m_group.lineOnMaster("SET lock:b me PX 600000");
    Program program;
    QVERIFY(program.run({u"act"_s, urlText(), u"lock"_s, u"release"_s, u"lock:b"_s, u"--owner"_s,
                         u"me"_s, u"--yes"_s}));
    QVERIFY2(program.exitCode() == 0, program.err().constData());
    QCOMPARE(m_group.lineOnMaster("EXISTS lock:b").integer, 0);
}

void TestSentinel::actsOnTheNewMaster()
{
    QVERIFY(m_group.failover());
    m_group.lineOnMaster("SET lock:d me PX 600000");
    Program program;
    QVERIFY(program.run({u"act"_s, urlText(), u"lock"_s, u"release"_s, u"lock:d"_s, u"--owner"_s,
                         u"me"_s, u"--yes"_s}));
    QVERIFY2(program.exitCode() == 0, program.err().constData());
    QCOMPARE(m_group.lineOnMaster("EXISTS lock:d").integer, 0);
}

void TestSentinel::jobsAreTheMasters()
{
    m_group.lineOnMaster("RPUSH jobs a b");
    m_group.lineOnMaster("RPUSH jobs:processing c");
    Program jobs;
    QVERIFY(jobs.run({u"jobs"_s, urlText(), u"jobs"_s, u"--format"_s, u"json"_s}));
    QVERIFY2(jobs.exitCode() == 0, jobs.err().constData());
    QCOMPARE(QJsonDocument::fromJson(jobs.out()).object()["jobs"_L1].toArray().size(), 3);
}

// A Sentinel has users of its own, who may know no GET.
void TestSentinel::permissionsAreTheMasters()
{
    Program acl;
    QVERIFY(acl.run({u"acl"_s, urlText(), u"--act"_s, u"--format"_s, u"json"_s}));
    QVERIFY2(acl.exitCode() == 0, (acl.out() + acl.err()).constData());
    const QJsonObject report = QJsonDocument::fromJson(acl.out()).object();
    QVERIFY(report["lacking"_L1].toArray().isEmpty());
    QVERIFY2(report["unknown"_L1].toArray().isEmpty(), acl.out().constData());
    m_group.lineOnMaster("ACL SETUSER default -get");
    Program denied;
    QVERIFY(denied.run({u"acl"_s, urlText(), u"--format"_s, u"json"_s}));
    m_group.lineOnMaster("ACL SETUSER default +get");
    QCOMPARE(denied.exitCode(), 1);
    const QJsonObject lacks = QJsonDocument::fromJson(denied.out()).object();
    QCOMPARE(lacks["lacking"_L1].toArray().size(), 1);
    QCOMPARE(lacks["lacking"_L1].toArray().at(0)["permission"_L1].toString(), u"+get"_s);
}

void TestSentinel::anUnknownOutcomeIsReadOnTheMaster()
{
    m_group.lineOnMaster("SET lock:u me PX 600000");
    test::FaultProxy proxy(m_group.server(m_group.masterIndex()).socketPath());
    proxy.holdFrom("EVALSHA");
    const QString url =
        urlText() +
        u"?map=%1=127.0.0.1:%2"_s.arg(m_group.masterAddress().text()).arg(proxy.url().port);
    Program program;
    QVERIFY(program.start(
        {u"act"_s, url, u"lock"_s, u"release"_s, u"lock:u"_s, u"--owner"_s, u"me"_s, u"--yes"_s}));
    QTRY_VERIFY_WITH_TIMEOUT(proxy.isHolding(), 30'000);
    proxy.dropHeld();
    proxy.heal();
    proxy.cutNow();
    QVERIFY(program.waitForEnd());
    QCOMPARE(program.exitCode(), 1);
    QVERIFY2(program.out().contains("now:            lock:u is still held by me"),
             program.out().constData());
}

void TestSentinel::anUnknownNameIsOneLine()
{
    ServerUrl url = m_group.url();
    url.masterName = u"other"_s;
    Program program;
    QVERIFY(program.run({u"snapshot"_s, url.withoutPassword()}));
    QCOMPARE(program.exitCode(), 2);
    const QByteArray said = program.err();
    QVERIFY2(said.contains("No Sentinel knows the master other ("), said.constData());
    QCOMPARE(said.trimmed().count('\n'), 0);
    for (int i = 0; i < test::RedisSentinel::size; ++i)
        QVERIFY(said.contains(m_group.sentinel(i).address().text().toLatin1()));
}

// Half of it would be the old master's.
void TestSentinel::aSnapshotGoesOnBehindAFailover()
{
    m_group.lineOnMaster("SET lock:e me PX 600000");
    const int before = m_group.masterIndex();
    test::FaultProxy proxy(m_group.server(before).socketPath());
    proxy.holdFrom("SCAN");
    const QString url =
        urlText() +
        u"?map=%1=127.0.0.1:%2"_s.arg(m_group.masterAddress().text()).arg(proxy.url().port);
    Program program;
    QVERIFY(program.start({u"snapshot"_s, url}));
    QTRY_VERIFY_WITH_TIMEOUT(proxy.isHolding(), 30'000);
    QVERIFY(m_group.failover());
    QVERIFY(m_group.masterIndex() != before);
    proxy.dropHeld();
    proxy.heal();
    proxy.cutNow();
    QVERIFY(program.waitForEnd());
    QVERIFY2(program.exitCode() == 0, program.err().constData());
    const QByteArray master = "master " + m_group.masterAddress().text().toLatin1();
    QVERIFY2(program.out().contains(master), program.out().constData());
    QVERIFY2(program.out().contains("lock:e"), program.out().constData());
}

void TestSentinel::aSentinelIsNoServer()
{
    const QString address = m_group.sentinel(0).address().text();
    const QList<QStringList> all{{u"snapshot"_s, u"redis://"_s + address},
                                 {u"act"_s, u"redis://"_s + address, u"lock"_s, u"release"_s,
                                  u"lock:a"_s, u"--owner"_s, u"me"_s, u"--yes"_s}};
    for (const QStringList& arguments : all) {
        Program program;
        QVERIFY(program.run(arguments));
        QCOMPARE(program.exitCode(), 2);
        const QString wanted = u"connect with redis-sentinel://%1/mymaster"_s.arg(address);
        QVERIFY2(program.err().contains(wanted.toUtf8()), program.err().constData());
    }
}

LK_TEST(TestSentinel);
#include "tst_sentinel.moc"
