// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/takensnapshot.h"
#include "tests/support/testprogram.h"

#include "backend/text/errortext.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// A look that could not read everything says so, and what that hides.
class TestUnreadable : public QObject
{
    Q_OBJECT

private:
    RedisServer m_server;
    TakenSnapshot snapshotAs(const QByteArray& rules, const Config& config = {})
    {
        const Reply reply = m_server.line("ACL SETUSER some reset on >pw " + rules);
        ServerUrl url = m_server.url();
        url.user = u"some"_s;
        url.password = u"pw"_s;
        return reply.isError() ? TakenSnapshot() : takeSnapshot(url, config);
    }
    static QJsonArray missing(const TakenSnapshot& taken)
    {
        return taken.scan()["missing"_L1].toArray();
    }
    static QJsonArray notReadable(const TakenSnapshot& taken)
    {
        QJsonArray found;
        for (const QJsonValue& v : taken.list("findings")) {
            if (v["code"_L1].toString() == u"not-readable"_s)
                found.append(v);
        }
        return found;
    }

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init()
    {
        m_server.flush();
        m_server.lines({"RPUSH jobs a b", "RPUSH jobs:processing c", "RPUSH tasks a",
                        "SET lock:a ef1f63c PX 60000", "ZADD api:rate 1 a"});
    }

    void everythingIsRead();
    void aCommandOfReadsIsMissing();
    void aCommandOfProbesIsMissing();
    void keysOutsideThePatterns();
    void aDeniedSiblingHidesNothingElse();
    void withoutInfoTheModeIsNotKnown();
    void silencedItIsStillNotComplete();
};

void TestUnreadable::everythingIsRead()
{
    const TakenSnapshot taken = snapshotAs("+@all ~*");
    QVERIFY(taken.scan()["complete"_L1].toBool());
    QVERIFY(missing(taken).isEmpty());
    QVERIFY(notReadable(taken).isEmpty());
    QVERIFY(!taken.text.contains("Incomplete:"));
    const QJsonArray nodes = taken.root["server"_L1]["nodes"_L1].toArray();
    QCOMPARE(nodes.size(), 1);
    QCOMPARE(nodes[0]["keys_scanned"_L1].toInt(), 5);
    QVERIFY(nodes[0]["slots"_L1].isNull());
}

void TestUnreadable::aCommandOfReadsIsMissing()
{
    m_server.line("RPUSH tasks:processing b"); // of a queue without, no list is read
    const TakenSnapshot taken = snapshotAs("+@all ~* -lrange");
    QVERIFY2(taken.snapshot, qPrintable(errorText(taken.error)));
    QVERIFY(!taken.scan()["complete"_L1].toBool(true));
    QCOMPARE(missing(taken).size(), 1);
    const QJsonObject reason = missing(taken)[0].toObject();
    QCOMPARE(reason["cause"_L1].toString(), u"command"_s);
    QCOMPARE(reason["permission"_L1].toString(), u"+lrange"_s);
    QCOMPARE(reason["primitives"_L1]["queues"_L1].toInt(), 2);
    QCOMPARE(notReadable(taken).size(), 1); // one for both queues
    const QJsonObject finding = notReadable(taken)[0].toObject();
    QCOMPARE(finding["severity"_L1].toString(), u"warning"_s);
    QVERIFY(finding["message"_L1].toString().contains(u"queues 2"_s));
    QVERIFY(finding["message"_L1].toString().contains(u"+lrange"_s));
    QVERIFY(taken.text.contains("Incomplete:"));
    QVERIFY(taken.text.contains("+lrange"));
}

void TestUnreadable::aCommandOfProbesIsMissing()
{
    const TakenSnapshot taken = snapshotAs("+@all ~* -zrange");
    QVERIFY(taken.snapshot);
    QCOMPARE(missing(taken).size(), 1);
    QCOMPARE(missing(taken)[0]["permission"_L1].toString(), u"+zrange"_s);
    QCOMPARE(missing(taken)[0]["keys"_L1].toInt(), 1);
    QCOMPARE(taken.list("locks").size(), 1);
}

void TestUnreadable::keysOutsideThePatterns()
{
    for (int i = 0; i < 700; ++i)
        m_server.run({"SET", "secret:" + QByteArray::number(i), "x"});
    const TakenSnapshot taken = snapshotAs("+@all ~lock:* ~api:*");
    QVERIFY(taken.snapshot);
    QVERIFY(!taken.scan()["complete"_L1].toBool(true));
    QCOMPARE(missing(taken).size(), 1);
    QCOMPARE(missing(taken)[0]["cause"_L1].toString(), u"key-patterns"_s);
    QCOMPARE(missing(taken)[0]["keys"_L1].toInt(), 703);
    QCOMPARE(notReadable(taken).size(), 1); // never one for each key
    QVERIFY(notReadable(taken)[0]["message"_L1].toString().contains(u"703 of 705"_s));
}

// The processing list is outside of the permitted keys, but SCAN shows whether it exists.
void TestUnreadable::aDeniedSiblingHidesNothingElse()
{
    m_server.line("DEL jobs:processing");
    const TakenSnapshot taken = snapshotAs("+@all ~jobs ~tasks ~lock:* ~api:*");
    QVERIFY(taken.snapshot);
    QCOMPARE(taken.named("queues", "jobs")["ready"_L1].toInt(-1), 2);
    QVERIFY2(taken.scan()["complete"_L1].toBool(), taken.json.constData());
}

void TestUnreadable::withoutInfoTheModeIsNotKnown()
{
    QVERIFY(snapshotAs("+@all ~* -info").scan()["complete"_L1].toBool()); // CLUSTER told
    const TakenSnapshot taken = snapshotAs("+@all ~* -info -cluster");
    QVERIFY(!taken.scan()["complete"_L1].toBool(true));
    QCOMPARE(missing(taken)[0]["permission"_L1].toString(), u"+info"_s);
    QVERIFY(notReadable(taken)[0]["message"_L1].toString().contains(u"cluster"_s));
}

void TestUnreadable::silencedItIsStillNotComplete()
{
    const TakenSnapshot taken =
        snapshotAs("+@all ~* -lrange", configOf("[check]\nsilence = [\"not-readable\"]\n"));
    QVERIFY(!taken.scan()["complete"_L1].toBool(true));
    QVERIFY(notReadable(taken)[0]["silenced"_L1].toBool());
}

LK_TEST(TestUnreadable);
#include "tst_unreadable.moc"
