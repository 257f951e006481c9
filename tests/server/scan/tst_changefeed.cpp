// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/feed/changefeed.h"
#include "backend/redis/connection.h"
#include "tests/support/faultproxy.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"
#include "tests/support/waiting.h"

#include <set>

using namespace lk;
using namespace lk::test;
using Mode = FeedStatus::Mode;

namespace {

/// A feed with the control connection it needs, and the keys it told of.
struct Fixture
{
    Connection control;
    ChangeFeed feed;
    std::multiset<QByteArray> keys;
    int everything = 0;

    explicit Fixture(const ServerUrl& url)
        : control(url)
        , feed(control, url)
    {
        QObject::connect(&feed, &ChangeFeed::keysChanged, &feed,
                         [this](const QList<QByteArray>& l) { keys.insert(l.begin(), l.end()); });
        QObject::connect(&feed, &ChangeFeed::everythingChanged, &feed, [this] { ++everything; });
    }
    bool open(std::vector<QByteArray> prefixes)
    {
        feed.setPrefixes(std::move(prefixes));
        const bool ready = openAndWait(control);
        feed.start();
        return ready;
    }
    bool waitForMode(Mode mode, int patienceMs = 5000)
    {
        return QTest::qWaitFor([&] { return feed.status().mode == mode; }, patienceMs);
    }
};

} // namespace

class TestChangeFeed : public QObject
{
    Q_OBJECT

private:
    RedisServer m_server;
    ServerUrl user(const QByteArray& rules)
    {
        m_server.line("ACL SETUSER feed reset on >pw +@all ~* &* " + rules);
        ServerUrl url = m_server.url();
        url.user = QStringLiteral("feed");
        url.password = QStringLiteral("pw");
        return url;
    }
    void killClients(const QByteArray& name)
    {
        for (const QByteArray& line : m_server.line("CLIENT LIST").text.split('\n')) {
            if (line.contains(" name=" + name + ' '))
                m_server.line("CLIENT KILL ID " + line.mid(3, line.indexOf(' ') - 3));
        }
    }

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init()
    {
        m_server.flush();
        m_server.run({"CONFIG", "SET", "notify-keyspace-events", ""});
    }

    void startsWithPrefixesOnly();
    void tellsWhoseNamesBeginSo_data();
    void tellsWhoseNamesBeginSo();
    void followsNewPrefixes_data();
    void followsNewPrefixes();
    void anEmptiedDatabaseIsEverything();
    void givesWayAboveItsBudget_data();
    void givesWayAboveItsBudget();
    void triesNarrowerPrefixesFirst_data();
    void triesNarrowerPrefixesFirst();
    void saysWhyItCannot();
    void neverPretendsToFollow();
    void survivesTheLossOfEither_data();
    void survivesTheLossOfEither();
    void asksWhetherAnybodyIsThere();
};

void TestChangeFeed::startsWithPrefixesOnly()
{
    Fixture fixture(m_server.url());
    QVERIFY(fixture.open({}));
    QTRY_VERIFY(m_server.line("CLIENT LIST").text.contains("name=lockkeeper-feed"));
    m_server.line("SET lock:a 1");
    QTRY_VERIFY(m_server.line("INFO clients").text.contains("tracking_clients:0"));
    QVERIFY(fixture.feed.status().mode == Mode::Starting); // never a feed of everything
    QTRY_VERIFY(m_server.line("CLIENT LIST").text.contains(" sub=1 "));
    QCoreApplication::processEvents(); // the server answered the subscription before that list
    const qint64 sent = fixture.control.traffic().commands;
    fixture.feed.setPrefixes({"lock:"});
    QVERIFY(fixture.control.traffic().commands > sent); // at once
    QVERIFY(fixture.waitForMode(Mode::Tracking));
    QCOMPARE(fixture.feed.status().prefixes, 1);
    QVERIFY(fixture.keys.empty());
}

void TestChangeFeed::tellsWhoseNamesBeginSo_data()
{
    QTest::addColumn<bool>("tracking");
    QTest::newRow("tracking") << true;
    QTest::newRow("notifications") << false;
}

void TestChangeFeed::tellsWhoseNamesBeginSo()
{
    QFETCH(bool, tracking);
    if (!tracking)
        m_server.line("CONFIG SET notify-keyspace-events KEA");
    Fixture fixture(tracking ? m_server.url() : user("-client|tracking"));
    QVERIFY(fixture.open({"lock:", "od[d]*?:", QByteArray("bin\xff\0:", 6)}));
    QVERIFY(fixture.waitForMode(tracking ? Mode::Tracking : Mode::Notifications));
    m_server.lines(
        {"SET page:1 x", "SET locksmith x", "SET odd:1 x", "SET lock:a 1", "SET od[d]*?:x 1"});
    m_server.run({"SET", QByteArray("bin\xff\0:k\n", 8), "1"});
    m_server.line("LPUSH lock:end 1");
    QTRY_VERIFY(fixture.keys.count("lock:end") > 0);
    const std::set<QByteArray> told(fixture.keys.begin(), fixture.keys.end());
    QCOMPARE(told, (std::set<QByteArray>{"lock:a", "od[d]*?:x", QByteArray("bin\xff\0:k\n", 8),
                                         "lock:end"}));
}

void TestChangeFeed::followsNewPrefixes_data()
{
    tellsWhoseNamesBeginSo_data();
}

void TestChangeFeed::followsNewPrefixes()
{
    QFETCH(bool, tracking);
    if (!tracking)
        m_server.line("CONFIG SET notify-keyspace-events KEA");
    Fixture fixture(tracking ? m_server.url() : user("-client|tracking"));
    QVERIFY(fixture.open({"a:", "b:"}));
    QVERIFY(fixture.waitForMode(tracking ? Mode::Tracking : Mode::Notifications));
    fixture.feed.setPrefixes({"b:", "c:", "d:"});
    QTRY_COMPARE(fixture.feed.status().prefixes, 3);
    m_server.lines({"SET a:1 x", "SET b:1 x", "SET c:1 x", "SET d:1 x"});
    QTRY_VERIFY(fixture.keys.count("d:1") > 0);
    QCOMPARE(std::set<QByteArray>(fixture.keys.begin(), fixture.keys.end()),
             (std::set<QByteArray>{"b:1", "c:1", "d:1"}));
    QCOMPARE(fixture.keys.count("b:1"), fixture.keys.count("c:1")); // no prefix is followed twice
}

void TestChangeFeed::anEmptiedDatabaseIsEverything()
{
    Fixture fixture(m_server.url());
    QVERIFY(fixture.open({"lock:"}));
    QVERIFY(fixture.waitForMode(Mode::Tracking));
    m_server.line("SET lock:a 1");
    QTRY_COMPARE(fixture.keys.size(), 1U);
    m_server.flush();
    QTRY_COMPARE(fixture.everything, 1);
    QCOMPARE(fixture.keys.size(), 1U);
}

void TestChangeFeed::givesWayAboveItsBudget_data()
{
    tellsWhoseNamesBeginSo_data();
}

void TestChangeFeed::givesWayAboveItsBudget()
{
    QFETCH(bool, tracking);
    if (!tracking)
        m_server.line("CONFIG SET notify-keyspace-events KEA");
    Fixture fixture(tracking ? m_server.url() : user("-client|tracking"));
    fixture.feed.setBudget(2000);
    QVERIFY(fixture.open({"lock:"}));
    QVERIFY(fixture.waitForMode(tracking ? Mode::Tracking : Mode::Notifications));
    QTimer traffic;
    int n = 0;
    connect(&traffic, &QTimer::timeout, this, [&] {
        std::vector<Command> some;
        for (int i = 0; i < 40; ++i)
            some.push_back({"SET", "lock:" + QByteArray::number(++n), "1"});
        m_server.runAll(some);
    });
    traffic.start(20);
    QVERIFY(fixture.waitForMode(Mode::PollingOnly, 10'000));
    QVERIFY(!fixture.feed.status().reason.isEmpty());
    QCOMPARE(fixture.feed.status().prefixes, 0);
    // And it really stops costing, however much goes on.
    QTRY_VERIFY(fixture.feed.status().bytesPerSecond == 0);
    const size_t told = fixture.keys.size();
    const int until = n + 2000;
    QTRY_VERIFY(n > until);
    QCOMPARE(fixture.keys.size(), told);
    QVERIFY(fixture.feed.status().mode == Mode::PollingOnly);
}

void TestChangeFeed::triesNarrowerPrefixesFirst_data()
{
    tellsWhoseNamesBeginSo_data();
}

// Busy sibling keys that are not watched must not cost the feed of detected primitives.
void TestChangeFeed::triesNarrowerPrefixesFirst()
{
    QFETCH(bool, tracking);
    if (!tracking)
        m_server.line("CONFIG SET notify-keyspace-events KEA");
    Fixture fixture(tracking ? m_server.url() : user("-client|tracking"));
    fixture.feed.setBudget(2000);
    fixture.feed.setPrefixes({"app:"}, {"app:lock:a", "app:lock:b"});
    QVERIFY(openAndWait(fixture.control));
    fixture.feed.start();
    QVERIFY(fixture.waitForMode(tracking ? Mode::Tracking : Mode::Notifications));
    QCOMPARE(fixture.feed.status().prefixes, 1);
    QTimer traffic;
    int n = 0;
    connect(&traffic, &QTimer::timeout, this, [&] {
        std::vector<Command> some;
        for (int i = 0; i < 40; ++i)
            some.push_back({"SET", "app:page:" + QByteArray::number(++n), "1"});
        m_server.runAll(some);
    });
    traffic.start(20);
    QTRY_COMPARE_WITH_TIMEOUT(fixture.feed.status().prefixes, 2, 10'000);
    QTRY_VERIFY(fixture.feed.status().bytesPerSecond < 2000);
    fixture.keys.clear();
    m_server.line("SET app:lock:b 1");
    QTRY_VERIFY(fixture.keys.count("app:lock:b") > 0);
    QCOMPARE(fixture.keys.size(), 1U);
    QVERIFY(fixture.feed.status().mode == (tracking ? Mode::Tracking : Mode::Notifications));
}

void TestChangeFeed::saysWhyItCannot()
{
    Fixture fixture(user("-client|tracking"));
    QVERIFY(fixture.open({"lock:"}));
    QVERIFY(fixture.waitForMode(Mode::PollingOnly));
    QVERIFY2(fixture.feed.status().reason.contains(QLatin1String("tracking")),
             qPrintable(fixture.feed.status().reason));
    Fixture silenced(user("-subscribe -psubscribe"));
    QVERIFY(silenced.open({"lock:"}));
    QVERIFY(silenced.waitForMode(Mode::PollingOnly));
    QVERIFY(!silenced.feed.status().reason.isEmpty());
}

// Where notifications are off, new prefixes do not make them come.
void TestChangeFeed::neverPretendsToFollow()
{
    Fixture fixture(user("-client|tracking"));
    QVERIFY(fixture.open({"lock:"}));
    QVERIFY(fixture.waitForMode(Mode::PollingOnly));
    fixture.feed.setPrefixes({"jobs"});
    QSignalSpy statuses(&fixture.feed, &ChangeFeed::statusChanged);
    QVERIFY(!fixture.waitForMode(Mode::Notifications, 2500));
    QVERIFY(fixture.feed.status().mode == Mode::PollingOnly);
}

void TestChangeFeed::survivesTheLossOfEither_data()
{
    QTest::addColumn<bool>("tracking");
    QTest::addColumn<QByteArray>("lost");
    for (const bool tracking : {true, false}) {
        for (const char* lost : {"lockkeeper", "lockkeeper-feed"})
            QTest::addRow("%s, %s", tracking ? "tracking" : "notifications", lost)
                << tracking << QByteArray(lost);
    }
}

void TestChangeFeed::survivesTheLossOfEither()
{
    QFETCH(bool, tracking);
    QFETCH(QByteArray, lost);
    if (!tracking)
        m_server.line("CONFIG SET notify-keyspace-events KEA");
    const Mode mode = tracking ? Mode::Tracking : Mode::Notifications;
    Fixture fixture(tracking ? m_server.url() : user("-client|tracking"));
    QVERIFY(fixture.open({"lock:"}));
    QVERIFY(fixture.waitForMode(mode));
    for (int round = 0; round < 2; ++round) {
        killClients(lost);
        if (lost == "lockkeeper-feed")
            QVERIFY(fixture.waitForMode(Mode::PollingOnly)); // while it is away, it says so
        else
            QTRY_VERIFY(!fixture.control.isReady());
        QTRY_VERIFY(fixture.control.isReady());
        QVERIFY(fixture.waitForMode(mode));
        fixture.keys.clear();
        // Until the server follows again nothing is told; then each change is, once.
        QTRY_VERIFY2((m_server.line("SET lock:a 1"), fixture.keys.count("lock:a") > 0),
                     "no change is told any more");
        m_server.line("SET lock:once 1");
        QTRY_VERIFY(fixture.keys.count("lock:once") > 0);
        QCOMPARE(fixture.keys.count("lock:once"), 1U);
    }
}

// A connection on which nothing comes may be dead without a sign.
void TestChangeFeed::asksWhetherAnybodyIsThere()
{
    FaultProxy proxy(m_server.socketPath());
    Connection control(m_server.url());
    ChangeFeed feed(control, proxy.url());
    feed.setPrefixes({"lock:"});
    QVERIFY(openAndWait(control));
    feed.start();
    QTRY_VERIFY(feed.status().mode == Mode::Tracking);
    proxy.stall();
    QTRY_VERIFY_WITH_TIMEOUT(feed.status().mode == Mode::PollingOnly, 30'000);
    QVERIFY(!feed.status().reason.isEmpty());
    proxy.heal();
}

LK_TEST(TestChangeFeed);
#include "tst_changefeed.moc"
