// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/e2e/program.h"
#include "tests/support/redissentinel.h"

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
    void anUnknownNameIsOneLine();
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

QTEST_GUILESS_MAIN(TestSentinel)
#include "tst_sentinel.moc"
