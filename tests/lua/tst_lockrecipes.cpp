// SPDX-License-Identifier: GPL-3.0-or-later
#include "reciperunner.h"
#include "tests/support/testprogram.h"

using namespace lk;

class tst_LockRecipes : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(m_redis.start()); }
    void init() { m_redis.clear(); }

    void onlyOneTakesIt();
    void onlyTheOwnerRenews();
    void onlyTheOwnerReleases();
    void binaryTokens();
    void lockRefuses();

    void timestampHoldsUntilItsEnd();
    void takeOverHappensOnce();
    void timestampIsReleasedByItsValue();
    void timestampUsesServerTime();
    void timestampRefuses();

private:
    bool acquire(const QByteArray& token)
    {
        return m_redis.run("lock-acquire", {"l"}, {token, "60000"}).text == "OK";
    }
    Reply stamp(const QByteArray& timeout, const QByteArray& now)
    {
        return m_redis.run("timestamp-lock-acquire", {"t"}, {timeout, now});
    }

    RecipeRunner m_redis;
};

void tst_LockRecipes::onlyOneTakesIt()
{
    QVERIFY(acquire("ef1f63c"));
    QVERIFY(!acquire("other"));
    QVERIFY(!acquire("ef1f63c")); // not re-entrant
    QCOMPARE(m_redis.command({"GET", "l"}).text, QByteArray("ef1f63c"));
    QVERIFY(m_redis.pttl("l") > 30'000 && m_redis.pttl("l") <= 60'000);
}

void tst_LockRecipes::onlyTheOwnerRenews()
{
    acquire("mine");
    QCOMPARE(m_redis.run("lock-renew", {"l"}, {"other", "90000"}).integer, 0);
    QVERIFY(m_redis.pttl("l") <= 60'000);
    QCOMPARE(m_redis.run("lock-renew", {"l"}, {"mine", "90000"}).integer, 1);
    QVERIFY(m_redis.pttl("l") > 60'000);
    m_redis.command({"DEL", "l"});
    QCOMPARE(m_redis.run("lock-renew", {"l"}, {"mine", "90000"}).integer, 0);
    QVERIFY(!m_redis.exists("l"));
}

void tst_LockRecipes::onlyTheOwnerReleases()
{
    acquire("mine");
    QCOMPARE(m_redis.run("lock-release", {"l"}, {"other"}).integer, 0);
    QVERIFY(m_redis.exists("l"));
    QCOMPARE(m_redis.run("lock-release", {"l"}, {"mine"}).integer, 1);
    QCOMPARE(m_redis.run("lock-release", {"l"}, {"mine"}).integer, 0);
    QVERIFY(acquire("other"));
}

void tst_LockRecipes::binaryTokens()
{
    const QByteArray token("\x00\xfe\r\n", 4);
    QVERIFY(acquire(token));
    QCOMPARE(m_redis.run("lock-release", {"l"}, {token.left(1)}).integer, 0);
    QCOMPARE(m_redis.run("lock-release", {"l"}, {token}).integer, 1);
}

void tst_LockRecipes::lockRefuses()
{
    QVERIFY(m_redis.run("lock-acquire", {"l"}, {"mine", "0"}).isError());
    QVERIFY(!m_redis.exists("l"));
    acquire("mine");
    QVERIFY(m_redis.run("lock-renew", {"l"}, {"mine", "0"}).isError());
    QVERIFY(m_redis.exists("l"));

    m_redis.command({"HSET", "h", "f", "v"});
    QVERIFY(m_redis.run("lock-acquire", {"h"}, {"mine", "1000"}).isNil());
    QVERIFY(isWrongType(m_redis.run("lock-renew", {"h"}, {"mine", "1000"})));
    QVERIFY(isWrongType(m_redis.run("lock-release", {"h"}, {"mine"})));
    QCOMPARE(m_redis.number({"HLEN", "h"}), 1);
}

void tst_LockRecipes::timestampHoldsUntilItsEnd()
{
    QCOMPARE(stamp("10", "1700000000.25").text, QByteArray("1700000010.250000"));
    QVERIFY(stamp("10", "1700000010.25").isNil());
    QCOMPARE(m_redis.command({"GET", "t"}).text, QByteArray("1700000010.250000"));
    QCOMPARE(m_redis.pttl("t"), -1);
}

void tst_LockRecipes::takeOverHappensOnce()
{
    stamp("10", "1700000000");
    // Two clients see it expired; the one that loses must not move the winner's end.
    QCOMPARE(stamp("10", "1700000011").text, QByteArray("1700000021.000000"));
    QVERIFY(stamp("10", "1700000011").isNil());
    QCOMPARE(m_redis.command({"GET", "t"}).text, QByteArray("1700000021.000000"));
}

void tst_LockRecipes::timestampIsReleasedByItsValue()
{
    const QByteArray first = stamp("10", "1700000000").text;
    const QByteArray second = stamp("10", "1700000011").text;
    QCOMPARE(m_redis.run("timestamp-lock-release", {"t"}, {first}).integer, 0);
    QVERIFY(m_redis.exists("t"));
    QCOMPARE(m_redis.run("timestamp-lock-release", {"t"}, {second}).integer, 1);
    QCOMPARE(m_redis.run("timestamp-lock-release", {"t"}, {second}).integer, 0);
}

void tst_LockRecipes::timestampUsesServerTime()
{
    const double now = m_redis.command({"TIME"}).items[0].text.toDouble();
    const double ends = stamp("100", "").text.toDouble();
    QVERIFY(ends >= now + 100 && ends < now + 130);
    QVERIFY(stamp("100", "").isNil());
}

void tst_LockRecipes::timestampRefuses()
{
    QVERIFY(stamp("0", "").isError());
    QVERIFY(!m_redis.exists("t"));
    // A token is no timestamp: its owner keeps the lock.
    m_redis.command({"SET", "t", "ef1f63c"});
    QVERIFY(stamp("10", "1700000000").isNil());
    QCOMPARE(m_redis.command({"GET", "t"}).text, QByteArray("ef1f63c"));
    m_redis.command({"DEL", "t"});
    m_redis.command({"LPUSH", "t", "x"});
    QVERIFY(isWrongType(stamp("10", "")));
    QVERIFY(isWrongType(m_redis.run("timestamp-lock-release", {"t"}, {"x"})));
}

LK_TEST(tst_LockRecipes);
#include "tst_lockrecipes.moc"
