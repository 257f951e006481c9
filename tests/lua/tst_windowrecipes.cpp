// SPDX-License-Identifier: GPL-3.0-or-later
#include "reciperunner.h"
#include "tests/support/testprogram.h"

using namespace lk;

namespace {

constexpr qint64 startMs = 1'700'000'000'000;

} // namespace

/// rolling-window and rolling-window-retry.
class tst_WindowRecipes : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(m_redis.start()); }
    void init() { m_redis.clear(); }

    void tenASecondAgainstFiveAlternateInFives();
    void neverMoreThanFiveInASecond();
    void refusalTellsWhenThePlaceComesFree();
    void sameMillisecondCountsTwice();
    void usesServerTimeAndExpires();
    void loweredLimitHolds();
    void adviceHoldsForALoweredLimit();
    void aMemberOfAnotherShapeCounts();
    void neverMoreMembersThanTheLimit();
    void adviceGrowsByOneShare_data();
    void adviceGrowsByOneShare();
    void firstPlaceIsNotBeforeOneIsFree();
    void placesEndAtTheCap();
    void pastPlacesAreDropped();
    void binaryKeys();
    void refusesBadArguments_data();
    void refusesBadArguments();
    void refusesOtherTypes();

private:
    qint64 roll(qint64 nowMs, const QByteArray& key = "w", int limit = 5)
    {
        const Reply reply =
            m_redis.run("rolling-window", {key},
                        {QByteArray::number(limit), "1000", QByteArray::number(nowMs)});
        m_redis.hold({key});
        return reply.isInteger() ? reply.integer : -1;
    }

    qint64 retry(qint64 nowMs, int capMs = 8000, const QByteArray& limit = "5")
    {
        const Reply reply =
            m_redis.run("rolling-window-retry", {"w", "r"},
                        {limit, "1000", QByteArray::number(capMs), QByteArray::number(nowMs)});
        m_redis.hold({"w", "r"});
        return reply.isInteger() ? reply.integer : -1;
    }

    RecipeRunner m_redis;
};

void tst_WindowRecipes::tenASecondAgainstFiveAlternateInFives()
{
    QByteArray seen;
    for (int i = 0; i < 30; ++i)
        seen += roll(startMs + i * 100) == 0 ? '0' : '1';
    QCOMPARE(seen, QByteArray("000001111100000111110000011111"));
}

void tst_WindowRecipes::neverMoreThanFiveInASecond()
{
    // Irregular, and often several in one millisecond.
    std::vector<qint64> accepted;
    qint64 now = startMs;
    for (int i = 0; i < 150; ++i) {
        now += (i * 37) % 101 / (i % 3 + 1);
        if (roll(now) == 0)
            accepted.push_back(now);
    }
    QVERIFY(accepted.size() > 20);
    for (size_t i = 5; i < accepted.size(); ++i)
        QVERIFY2(accepted[i] - accepted[i - 5] >= 1000, "six within 1,000 ms");
}

void tst_WindowRecipes::refusalTellsWhenThePlaceComesFree()
{
    for (int i = 0; i < 5; ++i)
        QCOMPARE(roll(startMs + i * 10), 0);
    QCOMPARE(roll(startMs + 600), 400);
    QCOMPARE(roll(startMs + 999), 1);
    QCOMPARE(roll(startMs + 1000), 0);
    QCOMPARE(roll(startMs + 1000), 10);
}

void tst_WindowRecipes::sameMillisecondCountsTwice()
{
    for (int i = 0; i < 3; ++i)
        QCOMPARE(roll(startMs), 0);
    QCOMPARE(m_redis.list({"ZRANGE", "w", "0", "-1"}),
             (Texts{"1700000000000-0", "1700000000000-1", "1700000000000-2"}));
    // A number that was taken out leaves no request uncounted.
    m_redis.command({"ZREM", "w", "1700000000000-1"});
    QCOMPARE(roll(startMs), 0);
    QCOMPARE(m_redis.number({"ZCARD", "w"}), 3);
}

void tst_WindowRecipes::usesServerTimeAndExpires()
{
    const Reply time = m_redis.command({"TIME"});
    const qint64 nowMs = time.items[0].text.toLongLong() * 1000;
    QCOMPARE(m_redis.run("rolling-window", {"w"}, {"1", "60000"}).integer, 0);
    const Texts marks = m_redis.list({"ZRANGE", "w", "0", "-1", "WITHSCORES"});
    QCOMPARE(marks.size(), size_t(2));
    QCOMPARE(marks[0], marks[1] + "-0");
    QVERIFY(qAbs(marks[1].toLongLong() - nowMs) < 30'000);
    const qint64 ttl = m_redis.pttl("w");
    QVERIFY(ttl > 30'000 && ttl <= 60'000);
    const qint64 wait = m_redis.run("rolling-window", {"w"}, {"1", "60000", ""}).integer;
    QVERIFY(wait > 30'000 && wait <= 60'000);
}

void tst_WindowRecipes::loweredLimitHolds()
{
    for (int i = 0; i < 5; ++i)
        QCOMPARE(roll(startMs + i * 100), 0);
    // Two inside are the limit now: the fourth has to leave.
    QCOMPARE(roll(startMs + 500, "w", 2), 800);
}

void tst_WindowRecipes::adviceHoldsForALoweredLimit()
{
    for (int i = 0; i < 5; ++i)
        QCOMPARE(retry(startMs + i * 100), 0);
    QCOMPARE(retry(startMs + 500, 8000, "2"), 800);
    QCOMPARE(retry(startMs + 500, 8000, "2"), 1300); // and half a second behind that place
    QCOMPARE(retry(startMs + 1300, 8000, "2"), 0);
    QCOMPARE(m_redis.number({"ZCARD", "w"}), 2); // the fifth and the new one
}

void tst_WindowRecipes::aMemberOfAnotherShapeCounts()
{
    // The score is the time, whatever wrote the member.
    for (int i = 0; i < 5; ++i)
        m_redis.command({"ZADD", "w", QByteArray::number(startMs + i * 100),
                         "5e27-" + QByteArray::number(9 - i)});
    QCOMPARE(retry(startMs + 500), 500);
    QCOMPARE(roll(startMs + 500), 500);
    QCOMPARE(roll(startMs + 1000), 0);
    QCOMPARE(retry(startMs + 1100), 0);
}

void tst_WindowRecipes::neverMoreMembersThanTheLimit()
{
    for (int i = 0; i < 40; ++i) {
        QCOMPARE(roll(startMs + i * 600, "v", 3), 0);
        QVERIFY(m_redis.number({"ZCARD", "v"}) <= 3);
        QCOMPARE(retry(startMs + i * 600, 8000, "3"), 0);
        QVERIFY(m_redis.number({"ZCARD", "w"}) <= 3);
    }
}

void tst_WindowRecipes::adviceGrowsByOneShare_data()
{
    QTest::addColumn<QByteArray>("limit");
    QTest::addColumn<QList<qint64>>("advice");
    QTest::newRow("5: by 200") << QByteArray("5") << QList<qint64>{1000, 1200, 1400, 1600};
    QTest::newRow("3: never early") << QByteArray("3") << QList<qint64>{1000, 1334, 1667, 2000};
    QTest::newRow("1: by 1000") << QByteArray("1") << QList<qint64>{1000, 2000, 3000, 4000};
}

void tst_WindowRecipes::adviceGrowsByOneShare()
{
    QFETCH(QByteArray, limit);
    QFETCH(QList<qint64>, advice);
    for (int i = 0; i < limit.toInt(); ++i)
        QCOMPARE(retry(startMs, 8000, limit), 0);
    for (const qint64 expected : advice)
        QCOMPARE(retry(startMs, 8000, limit), expected);
}

void tst_WindowRecipes::firstPlaceIsNotBeforeOneIsFree()
{
    for (int i = 0; i < 5; ++i)
        QCOMPARE(retry(startMs), 0);
    // One share from now would be 210, and the window is full until 1000.
    QCOMPARE(retry(startMs + 10), 990);
    // Near the end of the window the share is the longer one.
    m_redis.command({"DEL", "r"});
    QCOMPARE(retry(startMs + 950), 200);
}

void tst_WindowRecipes::placesEndAtTheCap()
{
    for (int i = 0; i < 5; ++i)
        QCOMPARE(retry(startMs, 2000), 0);
    for (int i = 0; i < 20; ++i)
        QVERIFY(retry(startMs, 2000) <= 2000);
    QCOMPARE(m_redis.number({"ZCARD", "r"}), 6);
    QCOMPARE(m_redis.list({"ZRANGE", "r", "-1", "-1", "WITHSCORES"}),
             (Texts{"1700000002000", "1700000002000"}));
    QCOMPARE(retry(startMs, 2000), 2000);

    // Both keys end by themselves: the retry key with its last place.
    m_redis.clear();
    const std::vector<QByteArray> keys{"w", "r"};
    const std::vector<QByteArray> args{"1", "60000", "90000"};
    QCOMPARE(m_redis.run("rolling-window-retry", keys, args).integer, 0);
    QVERIFY(m_redis.run("rolling-window-retry", keys, args).integer > 0);
    QVERIFY(m_redis.pttl("w") > 30'000 && m_redis.pttl("w") <= 60'000);
    QVERIFY(m_redis.pttl("r") > 30'000 && m_redis.pttl("r") <= 60'000);
}

void tst_WindowRecipes::pastPlacesAreDropped()
{
    for (int i = 0; i < 8; ++i)
        retry(startMs);
    QCOMPARE(m_redis.number({"ZCARD", "r"}), 3); // at 1000, 1200 and 1400
    QCOMPARE(retry(startMs + 1200), 0);
    QCOMPARE(m_redis.list({"ZRANGE", "r", "0", "-1"}), (Texts{"1700000001400"}));
}

void tst_WindowRecipes::binaryKeys()
{
    const QByteArray key("\x00\xff{a}\r\n", 7);
    QCOMPARE(roll(startMs, key), 0);
    QCOMPARE(m_redis.number({"ZCARD", key}), 1);
}

void tst_WindowRecipes::refusesBadArguments_data()
{
    QTest::addColumn<QByteArray>("limit");
    QTest::addColumn<QByteArray>("window");
    QTest::addColumn<QByteArray>("cap");
    QTest::newRow("no limit") << QByteArray() << QByteArray("1000") << QByteArray("1000");
    QTest::newRow("limit 0") << QByteArray("0") << QByteArray("1000") << QByteArray("1000");
    QTest::newRow("window in words") << QByteArray("5") << QByteArray("1s") << QByteArray("1000");
    QTest::newRow("no cap") << QByteArray("5") << QByteArray("1000") << QByteArray();
}

void tst_WindowRecipes::refusesBadArguments()
{
    QFETCH(QByteArray, limit);
    QFETCH(QByteArray, window);
    QFETCH(QByteArray, cap);
    QVERIFY(m_redis.run("rolling-window-retry", {"w", "r"}, {limit, window, cap}).isError());
    if (!cap.isEmpty())
        QVERIFY(m_redis.run("rolling-window", {"w"}, {limit, window}).isError());
    QCOMPARE(m_redis.number({"DBSIZE"}), 0);
}

void tst_WindowRecipes::refusesOtherTypes()
{
    m_redis.command({"SET", "s", "1"});
    QVERIFY(isWrongType(m_redis.run("rolling-window", {"s"}, {"5", "1000"})));
    const std::vector<QByteArray> args{"5", "1000", "1000"};
    QVERIFY(isWrongType(m_redis.run("rolling-window-retry", {"w", "s"}, args)));
    QVERIFY(isWrongType(m_redis.run("rolling-window-retry", {"s", "r"}, args)));
    QCOMPARE(m_redis.number({"DBSIZE"}), 1);
}

LK_TEST(tst_WindowRecipes);
#include "tst_windowrecipes.moc"
