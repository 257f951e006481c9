// SPDX-License-Identifier: GPL-3.0-or-later
#include "reciperunner.h"
#include "tests/support/testprogram.h"

#include <QMap>
#include <QSet>

using namespace lk;

/// The recipes of the pattern document: rotation, events, sessions, counters, bitmaps, cached
/// sorts, weights and arrays.
class tst_PatternRecipes : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(m_redis.start()); }
    void init() { m_redis.clear(); }

    void aRoundMeetsEveryMemberOnce();
    void newcomersAreDueLast();
    void oneWakeUpForManyEvents();
    void aWakeUpIsLeftForWhatStillWaits();
    void aSessionSlidesAndKeepsTheLatest();
    void countsAreTakenWithTheirTtl();
    void countersRefuseOtherValues();
    void aMemberIsMarkedOnce();
    void bitmapsEnd();
    void oneSortsAndTheOthersWait();
    void whoWasTooSlowStoresNothing();
    void anEmptyResultKeepsTheLock();
    void drawsFollowTheWeights();
    void drawsOfAnySum();
    void fillingReplacesOrRefuses();
    void recordsStayInTheirPlaces();
    void refusals_data();
    void refusals();
    void otherTypesAreRefused_data();
    void otherTypesAreRefused();

private:
    QByteArray text(const char* recipe, const std::vector<QByteArray>& keys, const Texts& args = {})
    {
        return m_redis.run(recipe, keys, args).text;
    }
    qint64 number(const char* recipe, const std::vector<QByteArray>& keys, const Texts& args = {})
    {
        return m_redis.run(recipe, keys, args).integer;
    }

    RecipeRunner m_redis;
};

void tst_PatternRecipes::aRoundMeetsEveryMemberOnce()
{
    for (const char* member : {"a", "b", "c"})
        QCOMPARE(number("circular-list-add", {"k"}, {member}), 1);
    QByteArray met;
    for (int i = 0; i < 7; ++i)
        met += text("circular-list-next", {"k"});
    QCOMPARE(met, QByteArray("abcabca"));
    QCOMPARE(m_redis.number({"LLEN", "k"}), 3);
    QVERIFY(m_redis.run("circular-list-next", {"nobody"}).isNil());
}

void tst_PatternRecipes::newcomersAreDueLast()
{
    for (const char* member : {"a", "b", "a", "b"})
        number("circular-list-add", {"k"}, {member});
    QCOMPARE(m_redis.list({"LRANGE", "k", "0", "-1"}), (Texts{"b", "a"})); // a is due
    QCOMPARE(number("circular-list-add", {"k"}, {"c"}), 1);
    QCOMPARE(text("circular-list-next", {"k"}), QByteArray("a"));
    QCOMPARE(number("circular-list-add", {"k"}, {"b"}), 0); // keeps its place
    QCOMPARE(text("circular-list-next", {"k"}), QByteArray("b"));
    QCOMPARE(text("circular-list-next", {"k"}), QByteArray("c"));
}

void tst_PatternRecipes::oneWakeUpForManyEvents()
{
    QCOMPARE(number("event-queue-add", {"k", "h"}, {"a", "b", "a"}), 2);
    QCOMPARE(number("event-queue-add", {"k", "h"}, {"b"}), 0);
    for (int i = 0; i < 50; ++i)
        number("event-queue-add", {"k", "h"}, {QByteArray::number(i)});
    QCOMPARE(m_redis.number({"LLEN", "h"}), 1);
    QCOMPARE(m_redis.number({"SCARD", "k"}), 52);
    // Woken for what waits already: a consumer has it in hand.
    m_redis.command({"DEL", "h"});
    QCOMPARE(number("event-queue-add", {"k", "h"}, {"a"}), 0);
    QVERIFY(!m_redis.exists("h"));
    // More than a script can hand to one command.
    std::vector<QByteArray> many;
    for (int i = 0; i < 9001; ++i)
        many.push_back(QByteArray::number(i));
    QCOMPARE(number("event-queue-add", {"m", "h"}, many), 9001);
    QCOMPARE(m_redis.run("event-queue-take", {"m", "h"}, {"9002"}).items.size(), size_t(9001));
}

void tst_PatternRecipes::aWakeUpIsLeftForWhatStillWaits()
{
    number("event-queue-add", {"k", "h"}, {"a", "b", "c"});
    QCOMPARE(m_redis.command({"RPOP", "h"}).text, QByteArray("x"));
    QSet<QByteArray> taken;
    for (const Reply& event : m_redis.run("event-queue-take", {"k", "h"}, {"2"}).items)
        taken.insert(event.text);
    QCOMPARE(taken.size(), 2);
    QCOMPARE(m_redis.number({"LLEN", "h"}), 1);
    for (const Reply& event : m_redis.run("event-queue-take", {"k", "h"}, {"2"}).items)
        taken.insert(event.text);
    QCOMPARE(taken, (QSet<QByteArray>{"a", "b", "c"}));
    QVERIFY(m_redis.run("event-queue-take", {"k", "h"}, {"2"}).items.empty());
}

void tst_PatternRecipes::aSessionSlidesAndKeepsTheLatest()
{
    for (int i = 1; i <= 5; ++i) {
        m_redis.command({"PEXPIRE", "k", "100"});
        QCOMPARE(
            number("navigation-session-visit", {"k"}, {"/" + QByteArray::number(i), "60000", "3"}),
            std::min(i, 3));
        QVERIFY(m_redis.pttl("k") > 30'000 && m_redis.pttl("k") <= 60'000);
    }
    QCOMPARE(m_redis.list({"LRANGE", "k", "0", "-1"}), (Texts{"/3", "/4", "/5"}));
    number("navigation-session-visit", {"short"}, {"/", "20", "3"});
    QTRY_VERIFY(!m_redis.exists("short"));
}

void tst_PatternRecipes::countsAreTakenWithTheirTtl()
{
    QCOMPARE(number("counter-reset", {"k"}), 0);
    QVERIFY(!m_redis.exists("k"));
    QCOMPARE(number("counter-add", {"k"}, {"1"}), 1);
    QCOMPARE(number("counter-add", {"k"}, {"41"}), 42);
    QCOMPARE(number("counter-reset", {"k"}), 42);
    QCOMPARE(m_redis.command({"GET", "k"}).text, QByteArray("0"));
    QCOMPARE(m_redis.pttl("k"), -1);
    m_redis.command({"SET", "k", "-7", "PX", "60000"});
    QCOMPARE(number("counter-reset", {"k"}), -7);
    QVERIFY(m_redis.pttl("k") > 30'000);
}

void tst_PatternRecipes::countersRefuseOtherValues()
{
    m_redis.command({"SET", "k", "many"});
    QVERIFY(m_redis.run("counter-add", {"k"}, {"1"}).isError());
    QVERIFY(m_redis.run("counter-reset", {"k"}).isError());
    QCOMPARE(m_redis.command({"GET", "k"}).text, QByteArray("many"));
}

void tst_PatternRecipes::aMemberIsMarkedOnce()
{
    for (const char* id : {"17", "3", "17", "511"})
        number("bitmap-mark", {"k"}, {id, "511", "60000"});
    QCOMPARE(m_redis.number({"BITCOUNT", "k"}), 3);
    QCOMPARE(number("bitmap-mark", {"k"}, {"18", "511", "60000"}), 1);
    QCOMPARE(number("bitmap-mark", {"k"}, {"18", "511", "60000"}), 0);
    QVERIFY(m_redis.pttl("k") > 30'000);
    m_redis.command({"PEXPIRE", "k", "20000"}); // the day ends when it ends
    number("bitmap-mark", {"k"}, {"19", "511", "60000"});
    QVERIFY(m_redis.pttl("k") <= 20'000);
}

void tst_PatternRecipes::bitmapsEnd()
{
    QVERIFY(m_redis.run("bitmap-mark", {"k"}, {"4294967295", "511", "60000"}).isError());
    QVERIFY(m_redis.run("bitmap-mark", {"k"}, {"1.5", "511", "60000"}).isError());
    QVERIFY(m_redis.run("bitmap-mark", {"k"}, {"-1", "511", "60000"}).isError());
    QVERIFY(!m_redis.exists("k"));
}

void tst_PatternRecipes::oneSortsAndTheOthersWait()
{
    m_redis.command({"SADD", "ids", "10", "9", "100", "1"});
    QCOMPARE(number("sort-cache-claim", {"k", "l"}, {"t1", "60000"}), 1);
    QCOMPARE(number("sort-cache-claim", {"k", "l"}, {"t2", "60000"}), 0);
    QVERIFY(m_redis.pttl("l") > 30'000);
    QCOMPARE(number("sort-cache-store", {"ids", "k", "l"}, {"t1", "60000", "3", "desc"}), 3);
    QCOMPARE(m_redis.list({"LRANGE", "k", "0", "-1"}), (Texts{"100", "10", "9"}));
    QVERIFY(m_redis.pttl("k") > 30'000);
    QVERIFY(!m_redis.exists("l"));
    QCOMPARE(number("sort-cache-claim", {"k", "l"}, {"t2", "60000"}), 2);
    m_redis.command({"DEL", "k"});
    QCOMPARE(number("sort-cache-claim", {"k", "l"}, {"t2", "60000"}), 1);
    QCOMPARE(number("sort-cache-store", {"ids", "k", "l"}, {"t2", "60000", "9", "asc", "alpha"}),
             4);
    QCOMPARE(m_redis.list({"LRANGE", "k", "0", "-1"}), (Texts{"1", "10", "100", "9"}));
}

void tst_PatternRecipes::whoWasTooSlowStoresNothing()
{
    m_redis.command({"SADD", "ids", "1"});
    number("sort-cache-claim", {"k", "l"}, {"t1", "60000"});
    m_redis.command({"SET", "l", "t2"}); // the lease had ended, and another one has it
    QCOMPARE(number("sort-cache-store", {"ids", "k", "l"}, {"t1", "60000", "3"}), -1);
    QVERIFY(!m_redis.exists("k"));
    QCOMPARE(m_redis.command({"GET", "l"}).text, QByteArray("t2"));
}

void tst_PatternRecipes::anEmptyResultKeepsTheLock()
{
    number("sort-cache-claim", {"k", "l"}, {"t1", "60000"});
    QCOMPARE(number("sort-cache-store", {"ids", "k", "l"}, {"t1", "60000", "3"}), 0);
    QCOMPARE(number("sort-cache-claim", {"k", "l"}, {"t2", "60000"}), 0);
}

void tst_PatternRecipes::drawsFollowTheWeights()
{
    QCOMPARE(text("weighted-set-fill", {"k"}, {"a", "0.5", "b", "0.25", "c", "0.25"}),
             QByteArray("1"));
    QMap<QByteArray, int> drawn;
    for (int i = 0; i < 100; ++i)
        ++drawn[text("weighted-set-draw", {"k"}, {QByteArray::number(i / 100.0, 'g', 17)})];
    QCOMPARE(drawn, (QMap<QByteArray, int>{{"a", 50}, {"b", 25}, {"c", 25}}));
    QVERIFY(m_redis.run("weighted-set-draw", {"none"}, {"0.5"}).isNil());
}

void tst_PatternRecipes::drawsOfAnySum()
{
    // Equal weights, which as plain scores would let only the first be drawn, adding up to 30.
    QCOMPARE(text("weighted-set-fill", {"k"}, {"z", "10", "y", "10", "x", "10"}), QByteArray("30"));
    QMap<QByteArray, int> drawn;
    for (int i = 0; i < 99; ++i)
        ++drawn[text("weighted-set-draw", {"k"}, {QByteArray::number((i + 0.5) / 99, 'g', 17)})];
    QCOMPARE(drawn, (QMap<QByteArray, int>{{"x", 33}, {"y", 33}, {"z", 33}}));
}

void tst_PatternRecipes::fillingReplacesOrRefuses()
{
    text("weighted-set-fill", {"k"}, {"a", "1", "b", "1"});
    QVERIFY(m_redis.run("weighted-set-fill", {"k"}, {"c", "1", "c", "2"}).isError());
    QVERIFY(m_redis.run("weighted-set-fill", {"k"}, {"c", "0"}).isError());
    QCOMPARE(m_redis.number({"ZCARD", "k"}), 2);
    text("weighted-set-fill", {"k"}, {"c", "3"});
    QCOMPARE(m_redis.list({"ZRANGE", "k", "0", "-1", "WITHSCORES"}), (Texts{"c", "3"}));
    // More than a script can hand to one command.
    std::vector<QByteArray> many;
    for (int i = 0; i < 4501; ++i) {
        many.push_back(QByteArray::number(i));
        many.push_back("1");
    }
    QCOMPARE(text("weighted-set-fill", {"k"}, many), QByteArray("4501"));
    QCOMPARE(m_redis.list({"ZRANGE", "k", "-1", "-1", "WITHSCORES"}), (Texts{"4500", "4501"}));
}

void tst_PatternRecipes::recordsStayInTheirPlaces()
{
    const auto write = [&](int index, const QByteArray& record) {
        return number("array-write", {"k"}, {"8", QByteArray::number(index), record, "100"});
    };
    const auto read = [&](int index) {
        return m_redis.run("array-read", {"k"}, {"8", QByteArray::number(index)});
    };
    QCOMPARE(write(0, "longest8"), 1);
    QCOMPARE(write(3, QByteArray("a\0b", 3)), 4);
    QCOMPARE(write(0, "bob"), 4);
    QCOMPARE(read(0).text, QByteArray("bob")); // not "bobgest8"
    QCOMPARE(read(3).text, QByteArray("a\0b", 3));
    QVERIFY(read(1).isNil() && read(99).isNil());
    QCOMPARE(m_redis.number({"STRLEN", "k"}), 32);
    QVERIFY(m_redis.run("array-write", {"k"}, {"8", "1", "longer than 8", "100"}).isError());
    QVERIFY(m_redis.run("array-write", {"k"}, {"8", "100", "a", "100"}).isError());
    QCOMPARE(m_redis.number({"STRLEN", "k"}), 32);
}

void tst_PatternRecipes::refusals_data()
{
    QTest::addColumn<QByteArrayList>("args");
    QTest::newRow("circular-list-add") << QByteArrayList{""};
    QTest::newRow("event-queue-take") << QByteArrayList{"0"};
    QTest::newRow("navigation-session-visit") << QByteArrayList{"/", "60s", "3"};
    QTest::newRow("navigation-session-visit without a number") << QByteArrayList{"/", "60000"};
    QTest::newRow("counter-add") << QByteArrayList{"many"};
    QTest::newRow("bitmap-mark") << QByteArrayList{"bob", "511", "60000"};
    QTest::newRow("sort-cache-claim") << QByteArrayList{"", "60000"};
    QTest::newRow("weighted-set-fill") << QByteArrayList{"a", "1", "b"};
    QTest::newRow("weighted-set-draw") << QByteArrayList{"1"};
    QTest::newRow("array-write") << QByteArrayList{"0", "1", "a", "100"};
    QTest::newRow("array-read") << QByteArrayList{"8", "-1"};
}

void tst_PatternRecipes::refusals()
{
    QFETCH(QByteArrayList, args);
    const QByteArray recipe = QByteArray(QTest::currentDataTag()).split(' ').first();
    const Reply reply =
        m_redis.run(recipe.constData(), {"k", "l"}, Texts(args.begin(), args.end()));
    QVERIFY(reply.isError());
    QCOMPARE(m_redis.number({"DBSIZE"}), 0);
}

void tst_PatternRecipes::otherTypesAreRefused_data()
{
    QTest::addColumn<QByteArrayList>("args");
    QTest::newRow("circular-list-add") << QByteArrayList{"a"};
    QTest::newRow("circular-list-next") << QByteArrayList{};
    QTest::newRow("event-queue-add") << QByteArrayList{"a"};
    QTest::newRow("event-queue-take") << QByteArrayList{"1"};
    QTest::newRow("navigation-session-visit") << QByteArrayList{"/", "60000", "3"};
    QTest::newRow("counter-add") << QByteArrayList{"1"};
    QTest::newRow("counter-reset") << QByteArrayList{};
    QTest::newRow("bitmap-mark") << QByteArrayList{"1", "511", "60000"};
    QTest::newRow("sort-cache-claim") << QByteArrayList{"t", "60000"};
    QTest::newRow("weighted-set-fill") << QByteArrayList{"a", "1"};
    QTest::newRow("weighted-set-draw") << QByteArrayList{"0.5"};
    QTest::newRow("array-write") << QByteArrayList{"8", "0", "a", "100"};
    QTest::newRow("array-read") << QByteArrayList{"8", "0"};
}

void tst_PatternRecipes::otherTypesAreRefused()
{
    QFETCH(QByteArrayList, args);
    m_redis.command({"HSET", "k", "f", "v"});
    const Reply reply =
        m_redis.run(QTest::currentDataTag(), {"k", "l"}, Texts(args.begin(), args.end()));
    QVERIFY(isWrongType(reply));
    QCOMPARE(m_redis.command({"HGET", "k", "f"}).text, QByteArray("v"));
    QCOMPARE(m_redis.number({"DBSIZE"}), 1);
}

LK_TEST(tst_PatternRecipes);
#include "tst_patternrecipes.moc"
