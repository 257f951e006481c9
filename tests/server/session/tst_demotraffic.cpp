// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/demo/demotraffic.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

using namespace lk;

/// The traffic in a thread of its own, as the program runs it.
class tst_DemoTraffic : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase();

    void makesKeysOfEveryKind_data();
    void makesKeysOfEveryKind();
    void boardsAreNotEmptyAtFirst();
    void horizonIsCapped();
    void redissonPermitsAreRedissons();
    void jobsMove();
    void librariesJobsMove();
    void locksHaveLeases();
    void stops();
    void endsWithItsThread();

private:
    QByteArray type(const QByteArray& key) { return m_redis.run({"TYPE", key}).text; }
    int matching(const QByteArray& pattern)
    {
        return int(m_redis.run({"KEYS", pattern}).items.size());
    }
    qint64 commands() // handled so far, as the server counts them
    {
        const QByteArray info = m_redis.run({"INFO", "stats"}).text;
        const QByteArray name = "total_commands_processed:";
        return info.mid(info.indexOf(name) + name.size()).split('\r').first().toLongLong();
    }
    // Workers of BullMQ are named as that library names them.
    int clients()
    {
        const QByteArray all = m_redis.run({"CLIENT", "LIST"}).text;
        return int(all.count("name=demo-") + all.count("name=bull:ZW1haWw=:w:mailer-"));
    }

    test::RedisServer m_redis;
    QThread m_thread;
    std::unique_ptr<DemoTraffic> m_traffic;
    std::unique_ptr<QSignalSpy> m_problems;
};

void tst_DemoTraffic::initTestCase()
{
    QVERIFY2(m_redis.start(), m_redis.output());
    m_traffic = std::make_unique<DemoTraffic>(m_redis.url());
    m_problems = std::make_unique<QSignalSpy>(m_traffic.get(), &DemoTraffic::problem);
    m_traffic->moveToThread(&m_thread);
    connect(&m_thread, &QThread::started, m_traffic.get(), &DemoTraffic::start);
    m_thread.start();
    QTRY_COMPARE(clients(), 13);
}

void tst_DemoTraffic::cleanupTestCase()
{
    m_thread.quit();
    m_thread.wait();
    QCOMPARE(m_problems->size(), 0);
}

void tst_DemoTraffic::makesKeysOfEveryKind_data()
{
    QTest::addColumn<QByteArray>("type");
    const auto row = [](const char* key, const char* type) {
        QTest::newRow(key) << QByteArray(type);
    };
    row("checkout:rate", "zset");
    row("checkout:retry", "zset");
    row("search:rate", "zset");
    row("z:rl:resource:12{12}", "zset");
    row("z:rl:resource:12{12}:consumer:1", "zset");
    row("z:rl:resource:12{12}:consumer:2", "zset");
    row("z:rl:resource:myduck{myduck}", "zset");
    row("my-rate-limiter", "hash");
    row("{my-rate-limiter}:value", "string");
    row("{my-rate-limiter}:permits", "zset");
    row("{orders}:api", "hash");
    row("{orders}:api:permits", "zset");
    row("{partner-api}:permits:62556984-2963-4021-a640-1f556ae9948d", "zset");
    row("quota:hits:globex", "string");
    row("lock:migration:2019", "string");
    row("lock.nightly-export", "string");
    row("mail:jobs", "list");
    row("mail:jobs:processing", "list");
    row("mail:jobs:dead", "list");
    row("thumbs:processing", "list");
    row("bull:email:meta", "hash");
    row("bull:email:wait", "list");
    row("bull:email:active", "list");
    row("bull:email:failed", "zset");
    row("bull:email:delayed", "zset");
    row("bull:email:completed", "zset");
    row("bull:email:events", "stream");
    row("queues", "set");
    row("processes", "set");
    row("working:queue:default:app-1:4711:c07be21d88f0", "list");
    row("app-1:4711:3f9a1c0b77de:workers", "hash");
    row("schedule", "zset");
    row("retry", "zset");
    row("dead", "zset");
    row("celery", "list");
    row("unacked", "hash");
    row("_kombu.binding.celery.pidbox", "set");
    row("monitor:sites:rotation", "list");
    row("events:pending", "set");
    row("pagewviews.user:1", "list");
    row("orders:counter", "string");
    row("cache:sorted:articles", "list");
    row("banner:weights", "zset");
    row("seats:array", "string");
    row("cache:page:/articles/1", "string");
    row("user:1:profile", "hash");
    row("visits", "stream");
    row("cities", "set");
    row("leaderboard", "zset");
}

void tst_DemoTraffic::makesKeysOfEveryKind()
{
    QFETCH(QByteArray, type);
    QTRY_COMPARE(this->type(QTest::currentDataTag()), type);
}

void tst_DemoTraffic::boardsAreNotEmptyAtFirst()
{
    QTRY_VERIFY(matching("lock:*") >= 4);
    QTRY_VERIFY(matching("worker:user:*") >= 2);
    QTRY_VERIFY(matching("code:*") >= 30);
    QTRY_VERIFY(matching("user_token:*") >= 15);
    QTRY_VERIFY(matching("spawn:gate:user:*") >= 1);
    QTRY_VERIFY(matching("quota:hits:*") == 5);
    QTRY_VERIFY(matching("users:active:*") >= 13);
    QTRY_VERIFY(matching("pagewviews.user:*") >= 6);
    QTRY_VERIFY(matching("cache:page:*") + matching("user:*:profile") == 150);
    QVERIFY(matching("*") < 480);
}

void tst_DemoTraffic::horizonIsCapped()
{
    // The load is highest at the start, so that the cap is reached.
    const auto horizonMs = [this] {
        const std::vector<Reply> replies =
            m_redis.runAll({{"TIME"}, {"ZRANGE", "checkout:retry", "-1", "-1", "WITHSCORES"}});
        const auto& time = replies[0].items;
        const auto& last = replies[1].items;
        if (last.empty())
            return 0.0;
        return last[1].text.toDouble() - time[0].text.toDouble() * 1000 -
               time[1].text.toDouble() / 1000;
    };
    QTRY_VERIFY_WITH_TIMEOUT(horizonMs() > 6000, 20'000);
    for (int i = 0; i < 30; ++i)
        QVERIFY(horizonMs() <= 8000);
    QVERIFY(m_redis.run({"ZCARD", "checkout:retry"}).integer <= 40);
    QVERIFY(m_redis.run({"ZCARD", "checkout:rate"}).integer <= 5);
}

void tst_DemoTraffic::redissonPermitsAreRedissons()
{
    const Reply permits = m_redis.run({"ZRANGE", "{orders}:api:permits", "0", "-1"});
    QVERIFY(permits.items.size() >= 10);
    for (const Reply& permit : permits.items)
        QCOMPARE(permit.text.size(), 21);
    QCOMPARE(m_redis.run({"HGET", "my-rate-limiter", "interval"}).text, QByteArray("60000"));
    QCOMPARE(m_redis.run({"HGET", "partner-api", "type"}).text, QByteArray("1"));
}

void tst_DemoTraffic::jobsMove()
{
    const auto newest = [this] {
        return m_redis.run({"LINDEX", "mail:jobs:processing", "0"}).text;
    };
    QByteArray before;
    QTRY_VERIFY(!(before = newest()).isEmpty());
    QVERIFY(before.startsWith("{\"id\":\"mail-"));
    QTRY_VERIFY(newest() != before);
}

void tst_DemoTraffic::librariesJobsMove()
{
    const auto members = [this](const char* set) {
        return int(m_redis.run({"ZCARD", set}).integer);
    };
    QTRY_VERIFY(members("bull:email:completed") >= 3);
    const QByteArray done = m_redis.run({"ZRANGE", "bull:email:completed", "0", "0"}).items[0].text;
    for (const char* field : {"name", "data", "opts", "timestamp", "processedOn", "finishedOn",
                              "returnvalue", "pb", "ats", "atm"})
        QVERIFY2(!m_redis.run({"HGET", "bull:email:" + done, field}).text.isEmpty(), field);
    QCOMPARE(m_redis.run({"EXISTS", "bull:email:" + done + ":lock"}).integer, 0);
    // One has no worker that holds its lock; the others have.
    int without = 0;
    for (const Reply& id : m_redis.run({"LRANGE", "bull:email:active", "0", "-1"}).items)
        without += m_redis.run({"EXISTS", "bull:email:" + id.text + ":lock"}).integer == 0;
    QVERIFY(without >= 1 && without <= 2); // or is just being taken or given back
    QVERIFY(members("bull:email:failed") >= 11);
    QVERIFY(members("dead") >= 7);
    QTRY_VERIFY(m_redis.run({"GET", "stat:processed"}).text.toInt() >= 3);
    QCOMPARE(m_redis.run({"LLEN", "working:queue:default:app-2:4690:91d3ff04aa6c"}).integer, 1);
    QCOMPARE(m_redis.run({"HLEN", "unacked"}).integer, 3);
}

void tst_DemoTraffic::locksHaveLeases()
{
    for (const Reply& key : m_redis.run({"KEYS", "lock:*"}).items) {
        const qint64 ttl = m_redis.run({"PTTL", key.text}).integer;
        if (key.text == "lock:migration:2019")
            QCOMPARE(ttl, -1);
        else
            QVERIFY2(ttl != -1 && ttl <= 30'000, key.text.constData());
    }
    for (const Reply& key : m_redis.run({"KEYS", "worker:user:*"}).items)
        QVERIFY(m_redis.run({"PTTL", key.text}).integer != -1);
}

void tst_DemoTraffic::stops()
{
    QMetaObject::invokeMethod(m_traffic.get(), &DemoTraffic::stop, Qt::BlockingQueuedConnection);
    QTRY_COMPARE(clients(), 0);
    const qint64 before = commands();
    // Whatever its thread still had to do is done.
    QMetaObject::invokeMethod(
        m_traffic.get(), [] {}, Qt::BlockingQueuedConnection);
    QVERIFY(commands() - before <= 1);
}

void tst_DemoTraffic::endsWithItsThread()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral("."))); // Qt's, of timers and sockets
    QThread thread;
    DemoTraffic traffic(m_redis.url(), 7);
    traffic.moveToThread(&thread);
    connect(&thread, &QThread::started, &traffic, &DemoTraffic::start);
    thread.start();
    QTRY_COMPARE(clients(), 13);
    thread.quit();
    QVERIFY(thread.wait(10'000));
    QTRY_COMPARE(clients(), 0);
}

LK_TEST(tst_DemoTraffic);
#include "tst_demotraffic.moc"
