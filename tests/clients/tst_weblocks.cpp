// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/clients/keyedsnapshot.h"
#include "tests/server/acting.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// Locks of Python and PHP libraries themselves make the keys, and tell who holds them.
class TestWebLocks : public QObject
{
    Q_OBJECT

private:
    RedisServer m_server;

private slots:
    void initTestCase()
    {
        LK_NEEDS_CLIENTS("python");
        LK_NEEDS_CLIENTS("php");
        QVERIFY2(m_server.start(), m_server.output());
    }
    void init() { m_server.flush(); }

    void redisPy_data() { prefixRows(u"acme:"_s); }
    void redisPy();
    void laravel_data() { prefixRows(u"acme:"_s); }
    void laravel();
    void symfony_data() { prefixRows(u"acme:"_s); }
    void symfony();
    void aReleasedLockIsTaken_data();
    void aReleasedLockIsTaken();
};

void TestWebLocks::redisPy()
{
    QFETCH(const QString, prefix);
    ClientProcess client(m_server);
    const QJsonObject counts = client.start(u"python/redis_lock.py"_s, {prefix});
    QVERIFY2(!counts.isEmpty(), client.output());
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    const QJsonObject held = withKey(taken, "locks", u"invoice:42"_s);
    QVERIFY2(!held.isEmpty(), taken.text.constData());
    QCOMPARE(held["layout"_L1].toString(), u"redis-py-lock"_s);
    QCOMPARE(held["owner"_L1], counts["token"_L1]);
    QCOMPARE(held["state"_L1].toString(), u"held"_s);
    const QJsonObject endless = withKey(taken, "locks", u"nightly-report"_s);
    QCOMPARE(endless["layout"_L1].toString(), u"redis-py-lock"_s);
    QVERIFY(endless["ttl_ms"_L1].isNull());
}

void TestWebLocks::laravel()
{
    QFETCH(const QString, prefix);
    ClientProcess client(m_server);
    const QJsonObject counts = client.start(u"php/laravel_cache.php"_s, {prefix});
    QVERIFY2(!counts.isEmpty(), client.output());
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    const QJsonObject held = withKey(taken, "locks", u"invoice:42"_s);
    QVERIFY2(!held.isEmpty(), taken.text.constData());
    QCOMPARE(held["layout"_L1].toString(), u"laravel-lock"_s);
    QCOMPARE(held["owner"_L1], counts["owner"_L1]);
}

void TestWebLocks::symfony()
{
    QFETCH(const QString, prefix);
    ClientProcess client(m_server);
    const QJsonObject counts = client.start(u"php/symfony.php"_s, {prefix});
    QVERIFY2(!counts.isEmpty(), client.output());
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    const QJsonObject exclusive = withKey(taken, "locks", u"invoice:42"_s);
    QVERIFY2(!exclusive.isEmpty(), taken.text.constData());
    QCOMPARE(exclusive["layout"_L1].toString(), u"symfony-lock"_s);
    QCOMPARE(exclusive["state"_L1].toString(), u"held"_s);
    const QJsonObject shared = withKey(taken, "locks", u"catalogue"_s);
    QCOMPARE(shared["layout"_L1].toString(), u"symfony-lock"_s);
    QCOMPARE(shared["holds"_L1], counts["readers"_L1]);
    const QJsonObject semaphore = withKey(taken, "locks", u"imports}:time"_s);
    QCOMPARE(semaphore["layout"_L1].toString(), u"symfony-semaphore"_s);
    QCOMPARE(semaphore["holds"_L1], counts["permits"_L1]);
}

void TestWebLocks::aReleasedLockIsTaken_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::newRow("redis-py, a thread waits") << u"python/redis_lock.py"_s << u"nightly-report"_s
                                              << QByteArray("wait") << QByteArray("joined");
    QTest::newRow("Laravel") << u"php/laravel_cache.php"_s << u"invoice:42"_s << QByteArray("count")
                             << QByteArray("lock");
    QTest::newRow("Symfony") << u"php/symfony.php"_s << u"invoice:42"_s << QByteArray("count")
                             << QByteArray("lock");
}

void TestWebLocks::aReleasedLockIsTaken()
{
    QFETCH(const QString, script);
    QFETCH(const QString, key);
    QFETCH(const QByteArray, before);
    QFETCH(const QByteArray, after);
    ClientProcess client(m_server);
    QVERIFY2(!client.start(script, {u"acme:"_s}).isEmpty(), client.output());
    QVERIFY2(!client.ask(before).isEmpty(), client.output());
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    const QString owner = withKey(taken, "locks", key)["owner"_L1].toString();
    const auto held = std::find_if(
        taken.snapshot->states.begin(), taken.snapshot->states.end(), [&](const StatePtr& state) {
            return state->primitive->keys.front().key.endsWith(key.toUtf8());
        });
    QVERIFY(!owner.isEmpty() && held != taken.snapshot->states.end());
    Actor actor(m_server.url());
    QVERIFY(actor.open());
    const Receipt receipt =
        actor.act((*held)->primitive, "lock.release", {{"owner", owner.toUtf8()}});
    QVERIFY2(receipt.outcome == Outcome::Succeeded, qPrintable(receipt.text));
    QVERIFY2(!client.ask(after).isEmpty(), client.output());
    const QString next = withKey(takeSnapshot(m_server.url()), "locks", key)["owner"_L1].toString();
    QVERIFY(!next.isEmpty() && next != owner);
}

LK_TEST(TestWebLocks);
#include "tst_weblocks.moc"
