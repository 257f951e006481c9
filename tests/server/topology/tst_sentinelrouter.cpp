// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/topology/router.h"
#include "backend/text/errortext.h"
#include "tests/server/askedlink.h"
#include "tests/support/redissentinel.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;
using Phase = ConnectionStatus::Phase;

namespace {

constexpr int patienceMs = 60'000; // Sentinels do nothing for 30 s after their clock has jumped

} // namespace

/// The way to the master of a Sentinel group.
class TestSentinelRouter : public QObject
{
    Q_OBJECT

private:
    bool waitForMaster(const Router& router, quint64 generation)
    {
        return QTest::qWaitFor(
            [&] {
                return router.isReady() && router.status().generation >= generation &&
                       router.nodes().front()->url().port ==
                           m_group.addressOf(m_group.masterIndex()).port;
            },
            patienceMs);
    }
    // The number of calls of that command on the server since the last RESETSTAT.
    qint64 callsOf(int server, const QByteArray& command)
    {
        const QByteArray stats = m_group.line(server, "INFO commandstats").text;
        const qsizetype at = stats.indexOf("cmdstat_" + command + ":calls=");
        return at < 0 ? 0 : stats.mid(at + command.size() + 15).split(',').front().toLongLong();
    }

    RedisSentinel m_group;

private slots:
    void initTestCase() { QVERIFY(m_group.start()); }
    void findsTheMaster();
    void followsAFailover();
    void followsWithinASecond();
    void closesForGoodInTheMiddleOfOne();
    void survivesADeadMaster();
    void neverGoesBackToAFrozenMaster();
    void anUnknownNameIsSaid();
};

void TestSentinelRouter::findsTheMaster()
{
    m_group.lineOnMaster("SET found yes");
    Router router(m_group.url());
    QVERIFY(opened(router));
    QVERIFY(waitForMaster(router, 1));
    QVERIFY(!router.map());
    QCOMPARE(router.nodes().size(), size_t(1));
    QCOMPARE(router.greeting().role(), NodeRole::Master);
    QCOMPARE(router.url().endpoint(), m_group.url().endpoint());
    const BatchResult result = ask(router, {{"GET", "found"}});
    QVERIFY(result);
    QCOMPARE(result->front().text, QByteArray("yes"));
}

void TestSentinelRouter::followsAFailover()
{
    const int before = m_group.masterIndex();
    Router router(m_group.url());
    QVERIFY(opened(router));
    QVERIFY(waitForMaster(router, 1));
    std::vector<Phase> phases;
    connect(&router, &Router::statusChanged, this,
            [&](const ConnectionStatus& status) { phases.push_back(status.phase); });
    QVERIFY(m_group.failover());
    QVERIFY(waitForMaster(router, 2)); // a new generation: what was known before is void
    QVERIFY(std::find(phases.begin(), phases.end(), Phase::Lost) != phases.end());
    m_group.line(before, "CONFIG RESETSTAT");
    QVERIFY(ask(router, {{"GET", "a"}, {"GET", "b"}}));
    QCOMPARE(callsOf(before, "get"), 0);
    QCOMPARE(callsOf(m_group.masterIndex(), "get"), 2);
}

// From when the Sentinels name another master, and that says so itself, until it can be asked.
void TestSentinelRouter::followsWithinASecond()
{
    RedisSentinel group;
    group.setQuick();
    QVERIFY(group.start());
    Router router(group.url());
    QVERIFY(opened(router));
    QElapsedTimer clock;
    clock.start();
    qint64 readyMs = 0;
    connect(&router, &Router::statusChanged, this, [&](const ConnectionStatus& status) {
        if (status.phase == Phase::Ready)
            readyMs = clock.elapsed();
    });
    std::vector<qint64> took;
    for (int i = 0; i < 3; ++i) {
        const int before = group.masterIndex();
        QVERIFY(before >= 0);
        const quint64 generation = router.status().generation;
        const auto begun = [&] {
            return group.sentinel(0).run({"SENTINEL", "FAILOVER", "mymaster"}).text == "OK";
        };
        QVERIFY(QTest::qWaitFor(begun, patienceMs));
        int now = -1;
        QVERIFY(waitUntil(
            [&] {
                now = group.masterIndex();
                return now >= 0 && now != before;
            },
            patienceMs));
        const qint64 agreedMs = clock.elapsed();
        QVERIFY(waitUntil(
            [&] {
                return router.isReady() && router.status().generation > generation &&
                       router.home().url().port == group.addressOf(now).port;
            },
            patienceMs));
        took.push_back(std::max<qint64>(0, readyMs - agreedMs));
        QVERIFY(group.waitForOtherMaster(before));
    }
    std::sort(took.begin(), took.end());
    QVERIFY2(took[1] <= 1000, QByteArray::number(took[1]).constData());
    qInfo("followed after %lld, %lld and %lld ms", took[0], took[1], took[2]);
}

// Like an acting connection, a lost one does not reconnect by itself.
void TestSentinelRouter::closesForGoodInTheMiddleOfOne()
{
    Router router(m_group.url(), actingOptions());
    QVERIFY(opened(router));
    router.setWriteMode(true);
    QVERIFY(ask(router, {{"SET", "acted", "1"}}, true));
    connect(&router, &Router::statusChanged, this, [&](const ConnectionStatus& status) {
        if (status.phase == Phase::Lost) {
            router.setWriteMode(false);
            router.close();
        }
    });
    QVERIFY(m_group.failover());
    QTRY_COMPARE_WITH_TIMEOUT(router.status().phase, Phase::Closed, patienceMs);
    for (const NodeLink* node : router.nodes())
        QCOMPARE(node->status().phase, Phase::Closed);
    router.disconnect(this);
    QVERIFY(opened(router));
    QVERIFY(waitForMaster(router, 2));
    const BatchResult refused = ask(router, {{"SET", "acted", "2"}}, true);
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, ErrorCode::SessionReadOnly);
}

void TestSentinelRouter::survivesADeadMaster()
{
    const int before = m_group.masterIndex();
    Router router(m_group.url());
    QVERIFY(opened(router));
    m_group.killMaster();
    QTRY_COMPARE_WITH_TIMEOUT(router.status().phase, Phase::Lost, patienceMs);
    QVERIFY(!ask(router, {{"GET", "a"}}));
    QVERIFY(m_group.waitForOtherMaster(before));
    QVERIFY(waitForMaster(router, 2));
    QVERIFY(m_group.startKilled());
}

// It was silent for a while and still believes that it is the master when it speaks again.
void TestSentinelRouter::neverGoesBackToAFrozenMaster()
{
    const int before = m_group.masterIndex();
    QVERIFY(before >= 0);
    Router router(m_group.url(), actingOptions());
    QVERIFY(opened(router));
    router.setWriteMode(true);
    m_group.freeze(before);
    const bool agreed = m_group.waitForOtherMaster(before);
    const bool there = agreed && waitForMaster(router, 2);
    const BatchResult result = ask(router, {{"SET", "written", "after"}}, true);
    m_group.thaw();
    QVERIFY(there);
    QVERIFY(result);
    QCOMPARE(result->front().text, QByteArray("OK"));
    QCOMPARE(m_group.lineOnMaster("GET written").text, QByteArray("after"));
    QVERIFY(router.home().url().port != m_group.addressOf(before).port);
}

void TestSentinelRouter::anUnknownNameIsSaid()
{
    ServerUrl url = m_group.url();
    url.masterName = u"other"_s;
    Router router(url);
    router.open();
    QTRY_COMPARE_WITH_TIMEOUT(router.status().phase, Phase::Lost, patienceMs);
    QCOMPARE(router.status().error.code, ErrorCode::NotFound);
    QVERIFY(errorText(router.status().error).contains(u"No Sentinel knows the master other"_s));
}

LK_TEST(TestSentinelRouter);
#include "tst_sentinelrouter.moc"
