// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/e2e/program.h"
#include "tests/support/rediscluster.h"
#include "tests/support/testprogram.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace lk;
using namespace Qt::StringLiterals;
using test::Program;

/// lockkeeper acl: its output makes a user that lacks nothing, and it reports what a user lacks.
class TestAcl : public QObject
{
    Q_OBJECT

private:
    test::RedisServer m_server;

    QString urlOfUser() const
    {
        return u"redis://lockkeeper:PASSWORD@127.0.0.1:%1"_s.arg(m_server.port());
    }
    void makeUser(const QStringList& options)
    {
        Program lines;
        QVERIFY(lines.run(QStringList{u"acl"_s} + options));
        QCOMPARE(lines.exitCode(), 0);
        QCOMPARE(lines.err(), QByteArray());
        const QByteArrayList all = lines.out().trimmed().split('\n');
        QVERIFY(all.size() > 5);
        for (const QByteArray& line : all) {
            QVERIFY(line.startsWith("ACL SETUSER lockkeeper "));
            m_server.line(line); // one is for later versions
        }
    }

private slots:
    void initTestCase()
    {
        m_server.addTcp();
        QVERIFY2(m_server.start(), m_server.output());
    }
    void init() { m_server.line("ACL DELUSER lockkeeper"); }

    void aUserOfItsOwn_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("reading") << QStringList();
        QTest::newRow("acting") << QStringList{u"--act"_s};
    }
    void aUserOfItsOwn()
    {
        QFETCH(QStringList, options);
        makeUser(options);
        Program check;
        QVERIFY(check.run(QStringList{u"acl"_s, urlOfUser()} + options));
        QVERIFY2(check.exitCode() == 0, (check.out() + check.err()).constData());
        QVERIFY2(check.out().contains("Nothing is missing"), check.out().constData());
        QVERIFY(check.out().contains("redis 7.") && check.out().contains("lockkeeper"));
        QVERIFY(!check.out().contains("PASSWORD"));
    }

    void whatItLacks()
    {
        makeUser({});
        m_server.line("ACL SETUSER lockkeeper -config|get -client|list -lrange");
        Program check;
        QVERIFY(check.run({u"acl"_s, urlOfUser()}));
        QCOMPARE(check.exitCode(), 1);
        for (const char* part :
             {"Missing: 3 of ", "+config|get", "durability is unknown", "+client|list",
              "workers that are known by their connections", "+lrange", "queues",
              "ACL SETUSER lockkeeper +config|get +lrange +client|list"})
            QVERIFY2(check.out().contains(part), check.out().constData());
        Program json;
        QVERIFY(json.run({u"acl"_s, urlOfUser(), u"--format"_s, u"json"_s}));
        QCOMPARE(json.exitCode(), 1);
        const QJsonObject root = QJsonDocument::fromJson(json.out()).object();
        QCOMPARE(root["asked_by"_L1].toString(), u"dry-run"_s);
        QCOMPARE(root["user"_L1].toString(), u"lockkeeper"_s);
        QCOMPARE(root["lacking"_L1].toArray().size(), 3);
        QCOMPARE(root["lacking"_L1][0]["permission"_L1].toString(), u"+config|get"_s);
        QCOMPARE(root["unknown"_L1].toArray(), QJsonArray());
        m_server.line("ACL SETUSER lockkeeper resetkeys ~lock:* resetchannels");
        Program keys;
        QVERIFY(keys.run({u"acl"_s, urlOfUser()}));
        QVERIFY2(keys.out().contains("+client|list ~* &__redis__:invalidate\n"),
                 keys.out().constData());
        m_server.line("ACL SETUSER lockkeeper +client|list +config|get +lrange allchannels");
        Program only; // of which no command is
        QVERIFY(only.run({u"acl"_s, urlOfUser()}));
        QVERIFY2(only.out().contains("Missing:\n  ~*\n"), only.out().constData());
        Program acting;
        QVERIFY(acting.run({u"acl"_s, u"--act"_s, urlOfUser()}));
        QCOMPARE(acting.exitCode(), 1);
        QVERIFY(acting.out().contains("No action can run."));
    }

    void onEachNodeOfACluster()
    {
        test::RedisCluster cluster;
        QVERIFY(cluster.start());
        for (int i = 0; i < test::RedisCluster::size; ++i)
            cluster.node(i).line("ACL SETUSER reader on >PASSWORD ~* &* +@all");
        cluster.node(2).line("ACL SETUSER reader -get");
        const QString url = u"redis://reader:PASSWORD@127.0.0.1:%1"_s.arg(cluster.node(0).port());
        Program check;
        QVERIFY(check.run({u"acl"_s, url}));
        QCOMPARE(check.exitCode(), 1);
        const QByteArray other = "127.0.0.1:" + QByteArray::number(cluster.node(2).port());
        for (const QByteArray& part :
             {QByteArray("Nothing is missing"), QByteArray("The same on other masters: 1"), other,
              QByteArray("Missing: 1 of "), QByteArray("ACL SETUSER reader +get")})
            QVERIFY2(check.out().contains(part), check.out().constData());
        Program json;
        QVERIFY(json.run({u"acl"_s, url, u"--format"_s, u"json"_s}));
        const QJsonArray nodes = QJsonDocument::fromJson(json.out()).object()["nodes"_L1].toArray();
        QCOMPARE(nodes.size(), 3);
        for (const QJsonValue& node : nodes)
            QCOMPARE(node["lacking"_L1].toArray().size(),
                     node["endpoint"_L1].toString() == QString::fromLatin1(other) ? 1 : 0);
        Program alone;
        QVERIFY(alone.run({u"acl"_s, url + u"?cluster=no"_s}));
        QCOMPARE(alone.exitCode(), 0);
    }

    void forSentinels()
    {
        Program program;
        QVERIFY(program.run({u"acl"_s, u"--sentinel"_s}));
        QVERIFY2(program.out().startsWith("ACL SETUSER lockkeeper ") &&
                     program.out().contains("&+switch-master") &&
                     program.out().contains("+sentinel|get-master-addr-by-name"),
                 program.out().constData());
        Program both;
        QVERIFY(both.run({u"acl"_s, u"--sentinel"_s, u"--act"_s}));
        QCOMPARE(both.exitCode(), 2);
    }

    void asJson()
    {
        Program program;
        QVERIFY(program.run({u"acl"_s, u"--act"_s, u"--format"_s, u"json"_s}));
        const QJsonObject root = QJsonDocument::fromJson(program.out()).object();
        QVERIFY(root["acts"_L1].toBool());
        QVERIFY(root["lines"_L1].toArray().contains(u"ACL SETUSER lockkeeper +client|no-touch"_s));
    }

    void wrongUse()
    {
        Program two;
        QVERIFY(two.run({u"acl"_s, u"redis://a"_s, u"redis://b"_s}));
        QCOMPARE(two.exitCode(), 2);
        Program nobody;
        QVERIFY(nobody.run({u"acl"_s, u"unix:///nonexistent/redis.sock"_s}));
        QCOMPARE(nobody.exitCode(), 2);
        QVERIFY(!nobody.err().isEmpty());
    }
};

LK_TEST(TestAcl);
#include "tst_acl.moc"
