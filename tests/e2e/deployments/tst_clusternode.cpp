// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/e2e/program.h"
#include "tests/support/rediscluster.h"
#include "tests/support/testprogram.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace lk;
using namespace Qt::StringLiterals;
using test::Program;

/// The output for a single node of a cluster that cannot serve a request: a replica, and a master
/// whose slot is migrating to another one.
class TestClusterNode : public QObject
{
    Q_OBJECT

private:
    test::RedisCluster m_cluster;
    test::RedisServer* m_replica = nullptr;
    static QString urlOf(const test::RedisServer& server)
    {
        return u"redis://127.0.0.1:%1?cluster=no"_s.arg(server.port());
    }

private slots:
    void initTestCase()
    {
        QVERIFY(m_cluster.start());
        m_replica = m_cluster.addReplica(1);
        QVERIFY(m_replica);
    }
    void aReplicaNamesItsMaster_data();
    void aReplicaNamesItsMaster();
    void aReplicaIsRead();
    void aMigratingSlotNamesTheOtherNode();
    void aDeclaredKeyOnTheOtherNodeIsMissing();
};

void TestClusterNode::aReplicaNamesItsMaster_data()
{
    QTest::addColumn<QString>("line");
    for (const char* line :
         {"act URL lock release lock:1 --owner me --yes",
          "act URL token issue --prefix code: --ttl 1h --yes", "act URL undo r0123456789ab --yes"})
        QTest::newRow(line) << QString::fromLatin1(line);
}

void TestClusterNode::aReplicaNamesItsMaster()
{
    QFETCH(QString, line);
    Program program;
    QVERIFY(program.run(line.replace(u"URL"_s, urlOf(*m_replica)).split(u' ')));
    QCOMPARE(program.exitCode(), 2);
    const QByteArray said = "is a replica in a cluster; its master is 127.0.0.1:" +
                            QByteArray::number(m_cluster.node(1).port());
    QVERIFY2(program.err().contains(said), program.err().constData());
    QVERIFY(!program.err().contains("MOVED"));
}

void TestClusterNode::aReplicaIsRead()
{
    const QByteArray name = m_cluster.nameOn(1, "lock:read");
    m_cluster.node(1).run({"SET", name, "me", "PX", "600000"});
    QTRY_COMPARE_WITH_TIMEOUT(m_replica->line("DBSIZE").integer, 1, 20'000);
    Program program;
    QVERIFY(program.run({u"snapshot"_s, urlOf(*m_replica), u"--format"_s, u"json"_s}));
    QVERIFY2(program.exitCode() == 0, program.err().constData());
    const QJsonObject root = QJsonDocument::fromJson(program.out()).object();
    QCOMPARE(root["server"_L1].toObject()["role"_L1].toString(), u"replica"_s);
    const QJsonObject lock = root["locks"_L1].toArray().at(0).toObject();
    QCOMPARE(lock["name"_L1].toString(), QString::fromLatin1(name));
    QCOMPARE(lock["owner"_L1].toString(), u"me"_s);
    QVERIFY2(!program.out().contains("MOVED"), program.out().constData());
    m_cluster.node(1).run({"DEL", name});
}

void TestClusterNode::aMigratingSlotNamesTheOtherNode()
{
    const QByteArray name = m_cluster.nameOn(0, "lock:migrating");
    const QByteArray stays = m_cluster.node(0).run({"SET", name, "me", "PX", "600000"}).text;
    QCOMPARE(stays, QByteArray("OK"));
    QVERIFY(m_cluster.migrateSlotOf(name, 2));
    const QStringList release{u"act"_s,
                              urlOf(m_cluster.node(0)),
                              u"lock"_s,
                              u"release"_s,
                              QString::fromLatin1(name),
                              u"--owner"_s,
                              u"me"_s,
                              u"--yes"_s};
    QCOMPARE(m_cluster.node(0)
                 .run({"MIGRATE", "127.0.0.1", QByteArray::number(m_cluster.node(2).port()), name,
                       "0", "5000"})
                 .text,
             QByteArray("OK"));
    Program program;
    QVERIFY(program.run(release));
    QCOMPARE(program.exitCode(), 1);
    const QByteArray other = "127.0.0.1:" + QByteArray::number(m_cluster.node(2).port());
    QVERIFY2(program.err().contains("is being migrated to " + other), program.err().constData());
    QCOMPARE(program.err().trimmed().count('\n'), 1); // after the warning that others see the owner
    QCOMPARE(program.out(), QByteArray());
    const auto there = m_cluster.node(2).runAll({{"ASKING"}, {"GET", name}});
    QCOMPARE(there.back().text, QByteArray("me"));
}

// The lock is not "free": its owner is on the other node.
void TestClusterNode::aDeclaredKeyOnTheOtherNodeIsMissing()
{
    const QByteArray name = m_cluster.nameOn(0, "lock:declared");
    QVERIFY(m_cluster.migrateSlotOf(name, 2));
    Program program;
    QFile file(program.home() + u"/a.toml"_s);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[[lock]]\nkey = \"" + name + "\"\nlayout = \"set-nx-px\"\n");
    file.close();
    for (const QString& command : {u"snapshot"_s, u"check"_s}) {
        Program reader;
        QVERIFY(reader.run({command, urlOf(m_cluster.node(0)), u"--config"_s, file.fileName()}));
        QCOMPARE(reader.exitCode(), command == u"check" ? 2 : 0);
        const QByteArray other = "127.0.0.1:" + QByteArray::number(m_cluster.node(2).port());
        QVERIFY2((reader.out() + reader.err()).contains("migrated to " + other),
                 (reader.out() + reader.err()).constData());
    }
}

LK_TEST(TestClusterNode);
#include "tst_clusternode.moc"
