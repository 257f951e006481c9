// SPDX-License-Identifier: GPL-3.0-or-later
#include "reciperunner.h"
#include "tests/support/testprogram.h"

using namespace lk;

/// fixed-window and gate.
class tst_CounterRecipes : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(m_redis.start()); }
    void init() { m_redis.clear(); }

    void windowPassesUpToTheLimit();
    void windowIsArmedOnce();
    void gatePassesOnce();
    void refusedCallsDoNotProlongTheGate();
    void lostTtlIsGivenBack_data();
    void lostTtlIsGivenBack();
    void opensAgain();
    void transactionCountsLikeTheScript();
    void refuses();

private:
    qint64 hit(const QByteArray& window = "60000")
    {
        return m_redis.run("fixed-window", {"k"}, {"3", window}).integer;
    }
    qint64 pass(const QByteArray& interval = "60000")
    {
        return m_redis.run("gate", {"k"}, {interval}).integer;
    }

    RecipeRunner m_redis;
};

void tst_CounterRecipes::windowPassesUpToTheLimit()
{
    for (int i = 0; i < 3; ++i)
        QCOMPARE(hit(), 0);
    const qint64 wait = hit();
    QVERIFY(wait > 30'000 && wait <= 60'000);
    QCOMPARE(m_redis.command({"GET", "k"}).text, QByteArray("4"));
}

void tst_CounterRecipes::windowIsArmedOnce()
{
    hit();
    m_redis.command({"PEXPIRE", "k", "20000"});
    hit();
    QVERIFY(m_redis.pttl("k") <= 20'000);
}

void tst_CounterRecipes::gatePassesOnce()
{
    QCOMPARE(pass(), 0);
    const qint64 wait = pass();
    QVERIFY(wait > 30'000 && wait <= 60'000);
    QVERIFY(pass() > 0);
    QCOMPARE(m_redis.command({"GET", "k"}).text, QByteArray("3"));
}

void tst_CounterRecipes::refusedCallsDoNotProlongTheGate()
{
    pass();
    m_redis.command({"PEXPIRE", "k", "20000"});
    for (int i = 0; i < 5; ++i)
        QVERIFY(pass() <= 20'000);
    QVERIFY(m_redis.pttl("k") <= 20'000);
}

void tst_CounterRecipes::lostTtlIsGivenBack_data()
{
    QTest::addColumn<bool>("isGate");
    QTest::newRow("fixed window") << false;
    QTest::newRow("gate") << true;
}

void tst_CounterRecipes::lostTtlIsGivenBack()
{
    QFETCH(bool, isGate);
    m_redis.command({"SET", "k", "7"});
    QCOMPARE(isGate ? pass() : hit(), 60'000);
    const qint64 ttl = m_redis.pttl("k");
    QVERIFY(ttl > 30'000 && ttl <= 60'000);
}

void tst_CounterRecipes::opensAgain()
{
    QCOMPARE(pass("20"), 0);
    QTRY_VERIFY(!m_redis.exists("k"));
    QCOMPARE(pass(), 0);
}

// The way without a script that the header of fixed-window.lua describes.
void tst_CounterRecipes::transactionCountsLikeTheScript()
{
    test::RespClient client(m_redis.socketPath());
    const auto count = [&client](const QByteArray& window) {
        return client
            .runAll({{"MULTI"},
                     {"SET", "k", "0", "PX", window, "NX"},
                     {"INCR", "k"},
                     {"PTTL", "k"},
                     {"EXEC"}})
            .back()
            .items;
    };
    const auto first = count("60000");
    QCOMPARE(first.size(), size_t(3));
    QCOMPARE(first[1].integer, 1);
    QVERIFY(first[2].integer > 30'000 && first[2].integer <= 60'000);
    m_redis.command({"PEXPIRE", "k", "20000"});
    const auto second = count("60000"); // armed once
    QCOMPARE(second[1].integer, 2);
    QVERIFY(second[2].integer <= 20'000);
    QCOMPARE(hit(), 0); // both count in one counter
    QVERIFY(hit() > 0);
    m_redis.command({"PERSIST", "k"});
    QCOMPARE(count("60000")[2].integer, -1);
    m_redis.command({"PEXPIRE", "k", "0"});
    QCOMPARE(count("60000")[1].integer, 1);
}

void tst_CounterRecipes::refuses()
{
    QVERIFY(m_redis.run("fixed-window", {"k"}, {"3", "soon"}).isError());
    QVERIFY(m_redis.run("fixed-window", {"k"}, {"0", "1000"}).isError());
    QVERIFY(m_redis.run("gate", {"k"}, {"0"}).isError());
    QVERIFY(m_redis.run("fixed-window", {"k"}, {"3", "nan"}).isError());
    QVERIFY(m_redis.run("fixed-window", {"k"}, {"nan", "1000"}).isError());
    QVERIFY(m_redis.run("fixed-window", {"k"}, {"3", "1e300"}).isError());
    // Nothing was counted: a counter without a TTL would be left.
    QVERIFY(!m_redis.exists("k"));
    // Neither does it arm one that is there without.
    m_redis.command({"SET", "k", "7"});
    QVERIFY(m_redis.run("fixed-window", {"k"}, {"3", "soon"}).isError());
    QCOMPARE(m_redis.pttl("k"), -1);
    m_redis.command({"DEL", "k"});
    m_redis.command({"LPUSH", "k", "x"});
    QVERIFY(isWrongType(m_redis.run("fixed-window", {"k"}, {"3", "1000"})));
    QVERIFY(isWrongType(m_redis.run("gate", {"k"}, {"1000"})));
    QCOMPARE(m_redis.pttl("k"), -1);
}

LK_TEST(tst_CounterRecipes);
#include "tst_counterrecipes.moc"
