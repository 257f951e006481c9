// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/takensnapshot.h"
#include "tests/support/otherserver.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// Hashes without a TTL whose fields end by themselves (HEXPIRE).
class TestFieldExpiry : public QObject
{
    Q_OBJECT

private slots:
    void redis()
    {
        LK_USE_SERVER(m_redis, "redis-8.0");
        check(m_redis);
    }
    void valkey()
    {
        LK_USE_SERVER(m_valkey, "valkey-9.1");
        check(m_valkey);
    }
    void versionsWithoutAreNotAsked();

private:
    void check(RedisServer& server);

    RedisServer m_redis;
    RedisServer m_valkey;
};

void TestFieldExpiry::check(RedisServer& server)
{
    QVERIFY2(server.start(), server.output());
    const QByteArray holder = "62556984-2963-4021-a640-1f556ae9948d:47";
    server.lines({"HSET code:0an3dks7000xcj201a used_by 0",
                  "HPEXPIRE code:0an3dks7000xcj201a 600000 FIELDS 1 used_by",
                  // Names that no layout asks for count, too.
                  "HSET code:0an3dks7000xcj201b used_by 0 user 7",
                  "HPEXPIRE code:0an3dks7000xcj201b 500000 FIELDS 1 used_by",
                  "HPEXPIRE code:0an3dks7000xcj201b 600000 FIELDS 1 user",
                  "HSET code:0an3dks7000xcj201c used_by 0 user 7",
                  "HPEXPIRE code:0an3dks7000xcj201c 600000 FIELDS 1 used_by",
                  "HSET code:0an3dks7000xcj201d used_by 0", "HSET invoice " + holder + " 1",
                  "HPEXPIRE invoice 600000 FIELDS 1 " + holder, "HSET order " + holder + " 1"});
    const TakenSnapshot taken = takeSnapshot(server.url());
    QVERIFY(taken.snapshot);
    const QByteArrayList token{"token-without-ttl"};
    QCOMPARE(taken.findings("code:0an3dks7000xcj201a"), QByteArrayList());
    QCOMPARE(taken.findings("code:0an3dks7000xcj201b"), QByteArrayList());
    QCOMPARE(taken.findings("code:0an3dks7000xcj201c"), token);
    QCOMPARE(taken.findings("code:0an3dks7000xcj201d"), token);
    // It ends with its last field.
    const auto ttl = [&](const char* kind, const char* name) {
        return taken.named(kind, name)["ttl_ms"_L1].toInt(-1);
    };
    QVERIFY(ttl("tokens", "code:0an3dks7000xcj201b") > 510'000);
    QCOMPARE(ttl("tokens", "code:0an3dks7000xcj201c"), -1);
    QCOMPARE(taken.findings("invoice"), QByteArrayList());
    QVERIFY(ttl("locks", "invoice") > 510'000);
    QCOMPARE(taken.findings("order"), QByteArrayList{"lock-without-ttl"});
}

void TestFieldExpiry::versionsWithoutAreNotAsked()
{
    RedisServer server;
    LK_USE_SERVER(server, "redis-7.0");
    QVERIFY2(server.start(), server.output());
    server.line("HSET code:0an3dks7000xcj201d used_by 0");
    const TakenSnapshot taken = takeSnapshot(server.url());
    QCOMPARE(taken.findings("code:0an3dks7000xcj201d"), QByteArrayList{"token-without-ttl"});
    // The server counts what it does not know.
    QVERIFY(server.line("INFO stats").text.contains("unexpected_error_replies:0"));
    QVERIFY(!server.line("INFO errorstats").text.contains("errorstat_ERR"));
}

LK_TEST(TestFieldExpiry);
#include "tst_fieldexpiry.moc"
