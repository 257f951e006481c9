// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/livesession.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// A session of a user who may not do everything leaves the server's ACL LOG alone once it knows.
class TestAclLog : public QObject
{
    Q_OBJECT

private:
    RedisServer m_server;
    // How often anything was denied: entries of one kind are counted up for a minute.
    qint64 denials()
    {
        qint64 sum = 0;
        for (const Reply& entry : m_server.line("ACL LOG 10000").items) {
            for (size_t i = 0; i + 1 < entry.items.size(); i += 2)
                sum += entry.items[i].text == "count" ? entry.items[i + 1].integer : 0;
        }
        return sum;
    }

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }

    void itGrowsNoMore_data();
    void itGrowsNoMore();
};

void TestAclLog::itGrowsNoMore_data()
{
    QTest::addColumn<QByteArray>("rules");
    QTest::newRow("keys") << QByteArray("+@all ~lock:*");
    QTest::newRow("a command of reads") << QByteArray("+@all ~* -lrange");
    QTest::newRow("a command of probes") << QByteArray("+@all ~* -zrange");
    QTest::newRow("only reading") << QByteArray("+@read +@connection +scan +info +time ~*");
}

void TestAclLog::itGrowsNoMore()
{
    QFETCH(QByteArray, rules);
    m_server.flush();
    for (int i = 0; i < 200; ++i)
        m_server.run({"SET", "secret:" + QByteArray::number(i), "x"});
    m_server.lines({"RPUSH jobs a b", "RPUSH jobs:processing c", "SET lock:a ef1f63c PX 600000",
                    "ZADD api:rate 1 a"});
    QVERIFY(!m_server.line("ACL SETUSER some reset on >pw " + rules).isError());
    m_server.line("CONFIG SET acllog-max-len 10000");
    m_server.line("ACL LOG RESET");
    ServerUrl url = m_server.url();
    url.user = u"some"_s;
    url.password = u"pw"_s;
    LiveSession live(url);
    QTRY_VERIFY_WITH_TIMEOUT(live.scanned(), 10'000);
    QVERIFY(live.seconds(5)); // a second scan, INFO, the feed's attempts: all was tried once
    const qint64 known = denials();
    for (int i = 0; i < 5; ++i) { // what changes is not asked about either
        m_server.lines({"RPUSH jobs d", "SET secret:1 y", "SET lock:a ef1f63c PX 600000"});
        QVERIFY(live.seconds(1));
    }
    QCOMPARE(denials(), known);
}

LK_TEST(TestAclLog);
#include "tst_acllog.moc"
