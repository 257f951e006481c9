// SPDX-License-Identifier: GPL-3.0-or-later
#include "reciperunner.h"
#include "tests/support/testprogram.h"

#include <QSet>

using namespace lk;

namespace {

constexpr qint64 startMs = 1'700'000'000'000;
constexpr qint64 startUs = startMs * 1000;
constexpr qint64 second = 1'000'000;

const QByteArray resource = QByteArrayLiteral("z:rl:resource:12{12}");

QByteArray consumer(int id)
{
    return resource + ":consumer:" + QByteArray::number(id);
}

} // namespace

/// Counts the figures that the documents print and promise: the recipes keep them with concurrent
/// callers. Time is injected where a recipe takes it. (The talk's fives, its five in any second,
/// the growth of the advice and Redisson's fourth permit are in the recipes' own tests.)
class tst_Figures : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(m_redis.start()); }
    void init() { m_redis.clear(); }
    void cleanup() { m_clients.clear(); }

    void theTalksAdviceGrowsWhileTheLoadLasts();
    void theTalksRetriesComeThrough();
    void aTokenIsUsedOnceHoweverManyAsk_data();
    void aTokenIsUsedOnceHoweverManyAsk();
    void twoThousandCallsAnInterval();
    void oneCallAnInterval();
    void redissonsThreeAMinuteForManyClients();
    void resourceAndConsumersFirstRun();
    void resourceAndConsumersSecondRun();
    void aLockHasOneOwnerHoweverManyAsk();
    void noEventIsLostByAReset_data();
    void noEventIsLostByAReset();
    void everyWorkerMeetsAnotherMember();

private:
    qint64 retry(qint64 nowMs)
    {
        const Reply reply = m_redis.run("rolling-window-retry", {"w", "r"},
                                        {"5", "1000", "60000", QByteArray::number(nowMs)});
        m_redis.hold({"w", "r"});
        return reply.isInteger() ? reply.integer : -1;
    }

    /// '+' where it passes. Each call is a little later in its second than the one before, as on a
    /// real clock: no two have the same microseconds.
    char use(int id, double seconds)
    {
        const qint64 nowUs = startUs + qint64(seconds * second) + ++m_calls;
        const Reply reply = m_redis.run("resource-consumer", {resource, consumer(id)},
                                        {"10", "5", "3", "", QByteArray::number(nowUs)});
        m_redis.hold({resource, consumer(id)});
        return reply.integer == 1 ? '+' : '-';
    }
    QList<qint64> cardinalities()
    {
        return {m_redis.number({"ZCARD", resource}), m_redis.number({"ZCARD", consumer(1)}),
                m_redis.number({"ZCARD", consumer(2)})};
    }

    /// Each command is under way before the first answer is read, each from another client.
    std::vector<Reply> atOnce(const std::vector<Command>& commands)
    {
        while (m_clients.size() < commands.size())
            m_clients.push_back(std::make_unique<test::RespClient>(m_redis.socketPath()));
        for (size_t i = 0; i < commands.size(); ++i)
            m_clients[i]->write(commands[i]);
        std::vector<Reply> replies;
        for (size_t i = 0; i < commands.size(); ++i)
            replies.push_back(m_clients[i]->read());
        return replies;
    }

    RecipeRunner m_redis;
    qint64 m_calls = 0;
    std::vector<std::unique_ptr<test::RespClient>> m_clients;
};

void tst_Figures::theTalksAdviceGrowsWhileTheLoadLasts()
{
    // Ten a second against five: each refusal adds 1000/5, and 100 have gone by since the last
    // call. The talk prints 6077, 6196, 6376, 6472, 6595, 6770: about 100 from one to the next.
    qint64 last = -1;
    qint64 lastMs = 0;
    int refused = 0;
    for (qint64 nowMs = startMs; nowMs < startMs + 20'000; nowMs += 100) {
        const qint64 advice = retry(nowMs);
        if (advice == 0)
            continue;
        ++refused;
        if (last > 0)
            QCOMPARE(advice, last + 200 - (nowMs - lastMs));
        last = advice;
        lastMs = nowMs;
    }
    QCOMPARE(refused, 100);
    // A fifth of a second for each; that the talk's grows more slowly is its retries taking turns.
    QVERIFY(last > 500 && last <= 1000 + 100 * 200);
}

void tst_Figures::theTalksRetriesComeThrough()
{
    // A refused caller retries at the given time, as in the talk's second script. With no more than
    // five calls a second none is refused twice, and no second has more than five.
    for (int i = 0; i < 5; ++i)
        QCOMPARE(retry(startMs), 0);
    std::vector<qint64> places;
    for (int i = 0; i < 10; ++i)
        places.push_back(startMs + 10 + retry(startMs + 10));
    std::vector<qint64> accepted(5, startMs);
    for (const qint64 placeMs : places) {
        QCOMPARE(retry(placeMs), 0);
        accepted.push_back(placeMs);
    }
    for (size_t i = 5; i < accepted.size(); ++i)
        QVERIFY(accepted[i] - accepted[i - 5] >= 1000);
}

void tst_Figures::aTokenIsUsedOnceHoweverManyAsk_data()
{
    QTest::addColumn<bool>("hash");
    QTest::newRow("hash with a counter") << true;
    QTest::newRow("string") << false;
}

void tst_Figures::aTokenIsUsedOnceHoweverManyAsk()
{
    QFETCH(bool, hash);
    constexpr int clients = 40;
    int used = 0;
    for (int t = 0; t < 25; ++t) {
        const QByteArray key = "user_token:" + QByteArray::number(t);
        if (hash)
            m_redis.run("hash-token-issue", {key}, {"60000", "some_metadata", "m"});
        else
            m_redis.run("string-token-issue", {key}, {"m", "60000"});
        const Command redeem =
            RecipeRunner::call(hash ? "hash-token-redeem" : "string-token-redeem", {key});
        int first = 0;
        for (const Reply& reply : atOnce(std::vector<Command>(clients, redeem)))
            first += hash ? reply.items.at(0).integer == 1 : reply.text == "m";
        QCOMPARE(first, 1);
        used += first;
        if (hash)
            QCOMPARE(m_redis.command({"HGET", key, "used_by"}).text, QByteArray::number(clients));
    }
    QCOMPARE(used, 25);
}

void tst_Figures::twoThousandCallsAnInterval()
{
    constexpr int clients = 50;
    const std::vector<Command> calls(
        clients, RecipeRunner::call("fixed-window", {"calls"}, {"2000", "600000"}));
    for (int interval = 0; interval < 2; ++interval) {
        int passed = 0;
        for (int round = 0; round < 60; ++round) { // 3,000 calls
            for (const Reply& reply : atOnce(calls))
                passed += reply.isInteger() && reply.integer == 0;
        }
        QCOMPARE(passed, 2000);
        QCOMPARE(m_redis.command({"GET", "calls"}).text, QByteArray("3000"));
        m_redis.command({"DEL", "calls"}); // as its TTL does
    }
}

void tst_Figures::oneCallAnInterval()
{
    const std::vector<Command> calls(50, RecipeRunner::call("gate", {"g"}, {"600000"}));
    int passed = 0;
    for (const Reply& reply : atOnce(calls))
        passed += reply.isInteger() && reply.integer == 0;
    QCOMPARE(passed, 1);
}

void tst_Figures::redissonsThreeAMinuteForManyClients()
{
    m_redis.run("redisson-rate-limiter-set-rate", {"m", "{m}:value", "{m}:permits"},
                {"3", "60000", "0", "0", "try"});
    const auto ask = [&](qint64 nowMs) {
        std::vector<Command> calls;
        for (int i = 0; i < 30; ++i)
            calls.push_back(RecipeRunner::call(
                "redisson-rate-limiter-acquire",
                {"m", "{m}:value", "{m}:value:c", "{m}:permits", "{m}:permits:c"},
                {"1", QByteArray::number(nowMs + i).rightJustified(16, '0', true),
                 QByteArray::number(nowMs)}));
        int passed = 0;
        for (const Reply& reply : atOnce(calls))
            passed += reply.isInteger() && reply.integer == 0;
        return passed;
    };
    QCOMPARE(ask(startMs), 3);
    QCOMPARE(ask(startMs + 59'999), 0);
    QCOMPARE(ask(startMs + 60'000), 3);
    QCOMPARE(ask(startMs + 60'001), 0);
}

void tst_Figures::resourceAndConsumersFirstRun()
{
    // "-i 1" and "-i 2": three of ten and two of five pass, again and again.
    QByteArray one;
    QByteArray two;
    for (int s = 0; s < 20; ++s) {
        one += use(1, s);
        if (s % 2 == 0)
            two += use(2, s + 0.5);
    }
    QCOMPARE(one, QByteArray("+++-------+++-------"));
    QCOMPARE(two, QByteArray("++---++---"));
    // The document prints 3 for the second: its script leaves old requests in a consumer's set as
    // long as the resource is full. Two passed in the last ten seconds.
    QCOMPARE(cardinalities(), (QList<qint64>{5, 3, 2}));
}

void tst_Figures::resourceAndConsumersSecondRun()
{
    // The second consumer had tried it by hand before, which is why the first one's third call
    // finds the resource full; a round later its own three calls are in the way.
    for (const double s : {-7.5, -5.5, -3.5})
        QCOMPARE(use(2, s), '+');
    QByteArray one;
    QByteArray two;
    for (int s = 0; s < 25; ++s) {
        one += use(1, s);
        if (s >= 4 && s % 2 == 0 && two.size() < 10)
            two += use(2, s + 0.5);
    }
    QCOMPARE(one, QByteArray("++-+------++-+------++-+-"));
    QCOMPARE(two, QByteArray("++---++---"));
    QCOMPARE(cardinalities(), (QList<qint64>{5, 3, 2}));
}

void tst_Figures::aLockHasOneOwnerHoweverManyAsk()
{
    for (int round = 0; round < 20; ++round) {
        std::vector<Command> calls;
        for (int i = 0; i < 40; ++i)
            calls.push_back(RecipeRunner::call(
                "lock-acquire", {"myresource"},
                {"t" + QByteArray::number(round) + '-' + QByteArray::number(i), "10000"}));
        int owners = 0;
        for (const Reply& reply : atOnce(calls))
            owners += reply.text == "OK";
        QCOMPARE(owners, 1);
        // All try to release it; one can.
        const QByteArray owner = m_redis.command({"GET", "myresource"}).text;
        for (Command& call : calls) {
            const QByteArray token = call.args().at(2);
            call = RecipeRunner::call("lock-release", {"myresource"}, {token});
        }
        int released = 0;
        for (const Reply& reply : atOnce(calls))
            released += reply.isInteger() && reply.integer == 1;
        QCOMPARE(released, 1);
        QVERIFY(!owner.isEmpty() && !m_redis.exists("myresource"));
    }
}

void tst_Figures::noEventIsLostByAReset_data()
{
    QTest::addColumn<bool>("recipe");
    QTest::newRow("INCR and GETSET") << false;
    QTest::newRow("recipes") << true;
}

void tst_Figures::noEventIsLostByAReset()
{
    QFETCH(bool, recipe);
    const Command count = recipe ? RecipeRunner::call("counter-add", {"mycounter"}, {"1"})
                                 : Command{"INCR", "mycounter"};
    const Command reset = recipe ? RecipeRunner::call("counter-reset", {"mycounter"})
                                 : Command{"GETSET", "mycounter", "0"};
    std::vector<Command> calls(20, count);
    calls.insert(calls.begin() + 7, reset);
    calls.insert(calls.begin() + 14, reset);
    qint64 taken = 0;
    int resets = 0;
    for (int round = 0; round < 200; ++round) {
        const std::vector<Reply> replies = atOnce(calls);
        for (const size_t at : {size_t(7), size_t(14)}) {
            const qint64 n =
                replies[at].isInteger() ? replies[at].integer : replies[at].text.toLongLong();
            taken += n;
            resets += n > 0;
        }
    }
    QVERIFY(resets > 200);
    QCOMPARE(taken + m_redis.command({"GET", "mycounter"}).text.toLongLong(), 4000);
}

void tst_Figures::everyWorkerMeetsAnotherMember()
{
    // "There are multiple clients rotating the list: they'll fetch different elements, until all
    // the elements of the list are visited, and the process restarts."
    for (int i = 0; i < 30; ++i)
        m_redis.run("circular-list-add", {"k"}, {QByteArray::number(i)});
    for (int round = 0; round < 10; ++round) {
        QSet<QByteArray> met;
        for (const Reply& reply :
             atOnce(std::vector<Command>(30, RecipeRunner::call("circular-list-next", {"k"}))))
            met.insert(reply.text);
        QCOMPARE(met.size(), 30);
    }
}

LK_TEST(tst_Figures);
#include "tst_figures.moc"
