// SPDX-License-Identifier: GPL-3.0-or-later
#include "reciperunner.h"
#include "tests/support/testprogram.h"

using namespace lk;

namespace {

const QByteArray resource = QByteArrayLiteral("z:rl:resource:12{12}");

QByteArray consumer(const QByteArray& id)
{
    return resource + ":consumer:" + id;
}

constexpr qint64 startUs = 1'700'000'000'000'000;
constexpr qint64 startMs = startUs / 1000;
constexpr qint64 second = 1'000'000;

const QByteArray uuid = QByteArrayLiteral("62556984-2963-4021-a640-1f556ae9948d");

} // namespace

/// resource-consumer and Redisson's rate limiter.
class tst_SharedLimitRecipes : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(m_redis.start()); }
    void init() { m_redis.clear(); }

    void consumersShareTheResource();
    void aRequestLeavesToTheMicrosecond();
    void sameMicrosecondsAreKept();
    void bothAreCleanedWhenTheResourceIsFull();
    void loweredLimitStaysALimit();
    void answersInWords();
    void resourceKeysExpire();
    void resourceRefusesOtherTypesAndArguments();

    void fourthOfThreeAMinuteWaitsForTheFirst();
    void permitsAreLaidOutAsRedissonsAre();
    void severalPermitsWaitForEnough();
    void lostValueLetsNobodyIn();
    void aValueThatCannotBeIsCountedAnew();
    void theLogIsNotReadWhole();
    void perClientKeepsApart();
    void keepAliveExpiresAll();
    void rateIsSetOnce();
    void redissonRefuses();

private:
    qint64 use(const QByteArray& id, qint64 nowUs, int limit = 5)
    {
        const Reply reply =
            m_redis.run("resource-consumer", {resource, consumer(id)},
                        {"10", QByteArray::number(limit), "3", "", QByteArray::number(nowUs)});
        m_redis.hold({resource, consumer(id)});
        return reply.isInteger() ? reply.integer : -1;
    }

    Reply setRate(const QByteArray& rate, const QByteArray& type = "0",
                  const QByteArray& keepAlive = "0", const QByteArray& mode = "try")
    {
        return m_redis.run("redisson-rate-limiter-set-rate", {"m", "{m}:value", "{m}:permits"},
                           {rate, "60000", type, keepAlive, mode});
    }

    qint64 acquire(qint64 nowMs, int permits = 1, const QByteArray& client = uuid)
    {
        const QByteArray random = QByteArray::number(++m_random).rightJustified(16, '\0');
        const Reply reply = m_redis.run(
            "redisson-rate-limiter-acquire",
            {"m", "{m}:value", "{m}:value:" + client, "{m}:permits", "{m}:permits:" + client},
            {QByteArray::number(permits), random, QByteArray::number(nowMs)});
        return reply.isInteger() ? reply.integer : -1;
    }

    RecipeRunner m_redis;
    int m_random = 0;
};

void tst_SharedLimitRecipes::consumersShareTheResource()
{
    // One consumer each second, another each two seconds, 5 and 3 in ten seconds.
    QByteArray one;
    QByteArray two;
    for (int s = 0; s < 20; ++s) {
        one += use("1", startUs + s * second + s) == 1 ? '+' : '-';
        if (s % 2 == 0)
            two += use("2", startUs + s * second + 500 + s) == 1 ? '+' : '-';
    }
    QCOMPARE(one, QByteArray("+++-------+++-------"));
    QCOMPARE(two, QByteArray("++---++---"));
    QCOMPARE(m_redis.number({"ZCARD", resource}), 5);
}

void tst_SharedLimitRecipes::aRequestLeavesToTheMicrosecond()
{
    const qint64 late = startUs + 900'000;
    for (int i = 0; i < 3; ++i)
        QCOMPARE(use("1", late + i), 1);
    // Ten whole seconds later by the seconds, 9.1 by the clock.
    QCOMPARE(use("1", startUs + 10 * second), 0);
    QCOMPARE(use("1", late + 10 * second - 1), 0);
    QCOMPARE(use("1", late + 10 * second), 1);
    QCOMPARE(m_redis.number({"ZCARD", consumer("1")}), 3);
}

void tst_SharedLimitRecipes::sameMicrosecondsAreKept()
{
    QCOMPARE(use("1", startUs + 7), 1);
    QCOMPARE(use("1", startUs + 2 * second + 7), 1);
    QCOMPARE(use("2", startUs + 3 * second + 999'999), 1);
    QCOMPARE(use("2", startUs + 4 * second + 999'999), 1);
    QCOMPARE(m_redis.list({"ZRANGE", resource, "0", "-1", "WITHSCORES"}),
             (Texts{"7", "1700000000", "8", "1700000002", "999999", "1700000003", "999998",
                    "1700000004"}));
}

void tst_SharedLimitRecipes::bothAreCleanedWhenTheResourceIsFull()
{
    QCOMPARE(use("1", startUs), 1);
    for (int i = 0; i < 5; ++i)
        use(QByteArray::number(2 + i), startUs + 5 * second + i);
    QCOMPARE(m_redis.number({"ZCARD", resource}), 5);
    m_redis.command({"ZADD", resource, "1700000012", "5"});
    QCOMPARE(use("1", startUs + 12 * second), 0);
    QVERIFY(!m_redis.exists(consumer("1")));
}

void tst_SharedLimitRecipes::loweredLimitStaysALimit()
{
    for (int i = 0; i < 5; ++i)
        QCOMPARE(use(QByteArray::number(i), startUs + i), 1);
    QCOMPARE(use("9", startUs + 10, 4), 0);
}

void tst_SharedLimitRecipes::answersInWords()
{
    const auto say = [&](const QByteArray& id, const QByteArray& limit) {
        return m_redis
            .run("resource-consumer", {resource, consumer(id)}, {"10", limit, "1", "text"})
            .text;
    };
    QCOMPARE(say("1", "2"), QByteArray("passes: consumer 1 of 1, resource 1 of 2"));
    QCOMPARE(say("1", "2"), QByteArray("consumer is full: 1 of 1"));
    QCOMPARE(say("2", "1"), QByteArray("resource is full: 1 of 1"));
}

void tst_SharedLimitRecipes::resourceKeysExpire()
{
    QCOMPARE(m_redis.run("resource-consumer", {resource, consumer("1")}, {"60", "5", "3"}).integer,
             1);
    for (const QByteArray& key : {resource, consumer("1")}) {
        const qint64 ttl = m_redis.pttl(key);
        QVERIFY(ttl > 30'000 && ttl <= 60'001);
    }
}

void tst_SharedLimitRecipes::resourceRefusesOtherTypesAndArguments()
{
    m_redis.command({"SET", "s", "1"});
    QVERIFY(isWrongType(m_redis.run("resource-consumer", {"s", "c"}, {"10", "5", "3"})));
    QVERIFY(isWrongType(m_redis.run("resource-consumer", {"r", "s"}, {"10", "5", "3"})));
    QVERIFY(m_redis.run("resource-consumer", {"r", "c"}, {"0.5", "5", "3"}).isError());
    QVERIFY(m_redis.run("resource-consumer", {"r", "c"}, {"10", "5"}).isError());
    QCOMPARE(m_redis.number({"DBSIZE"}), 1);
}

void tst_SharedLimitRecipes::fourthOfThreeAMinuteWaitsForTheFirst()
{
    QCOMPARE(setRate("3").integer, 1);
    for (int i = 0; i < 3; ++i)
        QCOMPARE(acquire(startMs + i * 1000), 0);
    QCOMPARE(acquire(startMs + 5000), 55'000);
    QCOMPARE(acquire(startMs + 59'999), 1);
    QCOMPARE(acquire(startMs + 60'000), 0);
    QCOMPARE(acquire(startMs + 60'000), 1000);
}

void tst_SharedLimitRecipes::permitsAreLaidOutAsRedissonsAre()
{
    setRate("30");
    QCOMPARE(acquire(startMs, 5), 0);
    const Texts permits = m_redis.list({"ZRANGE", "{m}:permits", "0", "-1", "WITHSCORES"});
    QCOMPARE(permits.size(), size_t(2));
    QCOMPARE(permits[0].size(), 21);
    QCOMPARE(permits[0].at(0), '\x10');
    QCOMPARE(permits[0].right(4), QByteArray("\x05\0\0\0", 4));
    QCOMPARE(permits[1], QByteArray("1700000000000"));
    QCOMPARE(m_redis.command({"GET", "{m}:value"}).text, QByteArray("25"));
    QCOMPARE(m_redis.list({"HMGET", "m", "rate", "interval", "type", "keepAliveTime"}),
             (Texts{"30", "60000", "0", "0"}));
    for (const char* key : {"m", "{m}:value", "{m}:permits"})
        QCOMPARE(m_redis.pttl(key), -1);
}

void tst_SharedLimitRecipes::severalPermitsWaitForEnough()
{
    setRate("3");
    for (int i = 0; i < 3; ++i)
        QCOMPARE(acquire(startMs + i * 1000), 0);
    QCOMPARE(acquire(startMs + 10'000, 2), 51'000);
    QCOMPARE(acquire(startMs + 60'500, 2), 500);
    QCOMPARE(m_redis.command({"GET", "{m}:value"}).text, QByteArray("1"));
    QCOMPARE(acquire(startMs + 61'000, 2), 0);
}

void tst_SharedLimitRecipes::lostValueLetsNobodyIn()
{
    setRate("1");
    QCOMPARE(acquire(startMs), 0);
    m_redis.command({"DEL", "{m}:value"});
    QCOMPARE(acquire(startMs + 1), 59'999);
}

void tst_SharedLimitRecipes::aValueThatCannotBeIsCountedAnew()
{
    setRate("3");
    QCOMPARE(acquire(startMs), 0);
    // With an acquire in the log three cannot be left.
    m_redis.command({"SET", "{m}:value", "3"});
    QCOMPARE(acquire(startMs + 1, 2), 0);
    QCOMPARE(m_redis.command({"GET", "{m}:value"}).text, QByteArray("0"));
    QCOMPARE(acquire(startMs + 2), 59'998);
    // With none in it all are.
    m_redis.command({"DEL", "{m}:permits"});
    QCOMPARE(acquire(startMs + 3, 3), 0);
    QCOMPARE(m_redis.command({"GET", "{m}:value"}).text, QByteArray("0"));
}

void tst_SharedLimitRecipes::theLogIsNotReadWhole()
{
    setRate("2000");
    for (int i = 0; i < 50; ++i)
        QCOMPARE(acquire(startMs + i, 39), 0);
    // One permit counts more than the total contains: a sum of all permits would refuse.
    const QByteArray newest =
        m_redis.command({"ZRANGE", "{m}:permits", "-1", "-1"}).items.at(0).text;
    m_redis.command({"ZREM", "{m}:permits", newest});
    m_redis.command({"ZADD", "{m}:permits", QByteArray::number(startMs + 49),
                     newest.left(17) + QByteArray("\xe8\x03\0\0", 4)});
    QCOMPARE(acquire(startMs + 100, 50), 0);
    QCOMPARE(m_redis.command({"GET", "{m}:value"}).text, QByteArray("0"));
    // The first acquire of 39 has to leave for one permit, the second as well for forty.
    QCOMPARE(acquire(startMs + 200, 1), 59'800);
    QCOMPARE(acquire(startMs + 200, 40), 59'801);
    // A permit that leaves gives its amount back once.
    QCOMPARE(acquire(startMs + 60'001, 78), 0);
    QCOMPARE(m_redis.number({"ZCARD", "{m}:permits"}), 50);
    QCOMPARE(acquire(startMs + 60'001, 1), 1);
}

void tst_SharedLimitRecipes::perClientKeepsApart()
{
    setRate("1", "1");
    QCOMPARE(acquire(startMs, 1, "a"), 0);
    QCOMPARE(acquire(startMs, 1, "b"), 0);
    QCOMPARE(acquire(startMs, 1, "a"), 60'000);
    QVERIFY(m_redis.exists("{m}:permits:a") && m_redis.exists("{m}:value:b"));
    QVERIFY(!m_redis.exists("{m}:permits") && !m_redis.exists("{m}:value"));
}

void tst_SharedLimitRecipes::keepAliveExpiresAll()
{
    setRate("2", "0", "90000");
    QCOMPARE(acquire(startMs), 0);
    for (const char* key : {"m", "{m}:value", "{m}:permits"})
        QVERIFY(m_redis.pttl(key) > 60'000 && m_redis.pttl(key) <= 90'000);
}

void tst_SharedLimitRecipes::rateIsSetOnce()
{
    QCOMPARE(setRate("3").integer, 1);
    QCOMPARE(acquire(startMs), 0);
    QCOMPARE(setRate("9").integer, 0);
    QCOMPARE(m_redis.command({"HGET", "m", "rate"}).text, QByteArray("3"));
    QVERIFY(m_redis.exists("{m}:permits"));
    QCOMPARE(setRate("9", "0", "0", "replace").integer, 1);
    QCOMPARE(m_redis.command({"HGET", "m", "rate"}).text, QByteArray("9"));
    QVERIFY(!m_redis.exists("{m}:permits") && !m_redis.exists("{m}:value"));
}

void tst_SharedLimitRecipes::redissonRefuses()
{
    QCOMPARE(acquire(startMs), -1); // no rate is set
    QVERIFY(setRate("0").isError());
    QVERIFY(setRate("3", "2").isError());
    QCOMPARE(m_redis.number({"DBSIZE"}), 0);
    setRate("3");
    QCOMPARE(acquire(startMs, 4), -1);
    m_redis.command({"LPUSH", "{m}:value", "x"});
    QCOMPARE(acquire(startMs), -1);
    QCOMPARE(m_redis.number({"LLEN", "{m}:value"}), 1);
    QVERIFY(!m_redis.exists("{m}:permits"));
}

LK_TEST(tst_SharedLimitRecipes);
#include "tst_sharedlimitrecipes.moc"
