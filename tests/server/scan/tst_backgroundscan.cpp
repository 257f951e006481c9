// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/scan/backgroundscan.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"
#include "tests/support/waiting.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>

using namespace lk;
using namespace lk::test;

namespace {

/// A scan with a clock of its own, so that the rest between two scans costs no time.
struct ScanFixture
{
    ManualClock clock{1'000'000};
    Discovery discovery;
    BackgroundScan scan;
    int scans = 0;
    qint64 decoded = 0;

    explicit ScanFixture(const ServerUrl& url, qint64 commandsPerSecond = 0)
        : discovery(Config())
        , scan(url, discovery, clock, commandsPerSecond)
    {
        QObject::connect(&scan, &BackgroundScan::passFinished, &scan, [this] { ++scans; });
        QObject::connect(
            &scan, &BackgroundScan::discovered, &scan,
            [this](const Discovery::Found& found) { decoded += qint64(found.decoded.size()); });
    }
    /// Does the work of the session's second, after that much time.
    void tick(qint64 ms = 1000)
    {
        clock.advance(ms);
        scan.everySecond();
    }
    qsizetype found() const { return discovery.registry().size(); }
};

} // namespace

class TestBackgroundScan : public QObject
{
    Q_OBJECT

private:
    RedisServer m_server;
    void locks(const QByteArray& stem, int count, RedisServer& server)
    {
        std::vector<Command> fill;
        for (int i = 0; i < count; ++i)
            fill.push_back({"SET", stem + QByteArray::number(i), "ef1f63c", "PX", "600000"});
        server.runAll(fill);
    }

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init() { m_server.flush(); }

    void scansOnceAndRests();
    void laterScansPassOverTheKnown();
    void laterScansAreQuiet();
    void looksAtNamesThatChanged();
    void looksAreNoPartOfTheCount();
    void restartLooksAtEverythingAgain();
    void countsAddUpDuringTheScan();
    void pausedItAsksForNothing();
    void startsAgainWhenTheServerIsBack();
    void aLostConnectionMidScanDoublesNothing();
    void tellsWhatWasDenied();
    void deniedKeysAreAskedForOnce();
    void theFirstScanKeepsToItsBudget();
    void endsWhereMemoryDoes();
    void stoppedItStaysSo();
};

void TestBackgroundScan::scansOnceAndRests()
{
    locks("lock:", 20, m_server);
    m_server.line("SET page:1 text");
    ScanFixture fixture(m_server.url());
    fixture.scan.open();
    QVERIFY(waitUntil([&] { return fixture.scans == 1; }));
    QCOMPARE(fixture.found(), 20);
    QCOMPARE(fixture.decoded, 20);
    const ScanCounts counts = fixture.scan.counts();
    QVERIFY(counts.complete);
    QCOMPARE(counts.scanned, 21);
    QCOMPARE(counts.matched, 20);
    QCOMPARE(counts.notRecognized, 1);
    QCOMPARE(counts.skipped, 0);
    // The second comes soon: for what was made before the feed was told what to tell. So do all.
    for (int scans = 2; scans < 5; ++scans) {
        fixture.tick(900); // not yet
        QVERIFY(!fixture.scan.isRunning());
        fixture.tick(100);
        QVERIFY(fixture.scan.isRunning());
        QVERIFY(waitUntil([&] { return fixture.scans == scans; }));
    }
}

void TestBackgroundScan::laterScansPassOverTheKnown()
{
    locks("lock:", 200, m_server);
    for (int i = 0; i < 200; ++i)
        m_server.run({"SET", "page:" + QByteArray::number(i), "text"});
    ScanFixture fixture(m_server.url());
    fixture.scan.open();
    QVERIFY(waitUntil([&] { return fixture.scans == 1; }));
    const qint64 first = fixture.scan.traffic().commands;
    locks("late:lock:", 1, m_server);
    fixture.tick(16'000);
    QVERIFY(waitUntil([&] { return fixture.scans == 2; }));
    QCOMPARE(fixture.found(), 201);
    QVERIFY(fixture.scan.traffic().commands - first < 20); // SCAN and one new key
    QCOMPARE(fixture.scan.counts().scanned, 401);
    QCOMPARE(fixture.scan.counts().matched, 201);
    QCOMPARE(fixture.scan.counts().notRecognized, 200);
}

void TestBackgroundScan::laterScansAreQuiet()
{
    constexpr int names = 6000;
    locks("lock:", names, m_server);
    ScanFixture fixture(m_server.url());
    fixture.scan.open();
    QVERIFY(waitUntil([&] { return fixture.scans == 1; }));
    QCOMPARE(fixture.found(), names);
    const qint64 before = fixture.scan.traffic().commands;
    QElapsedTimer clock;
    clock.start();
    fixture.tick(3000);
    QVERIFY(fixture.scan.isRunning());
    QVERIFY(waitUntil([&] { return fixture.scans == 2; }));
    const double aSecond =
        double(fixture.scan.traffic().commands - before) * 1000 / double(clock.elapsed());
    QVERIFY2(aSecond < 100, qPrintable(QString::number(aSecond)));
    QVERIFY(clock.elapsed() >= 1500); // 3,300 names a second at most, whatever is asked of them
}

void TestBackgroundScan::looksAtNamesThatChanged()
{
    ScanFixture fixture(m_server.url());
    fixture.scan.open();
    QVERIFY(waitUntil([&] { return fixture.scans == 1; }));
    m_server.lines({"SET lock:new ef1f63c PX 60000", "SET page:1 text"});
    for (const char* name : {"lock:new", "lock:new", "page:1", "gone"})
        fixture.scan.probe(name);
    fixture.tick();
    QVERIFY(waitUntil([&] { return fixture.found() == 1; }));
    const qint64 commands = fixture.scan.traffic().commands;
    fixture.scan.probe("lock:new"); // known
    fixture.scan.probe("page:1");   // known to belong to no layout
    fixture.tick(500);              // before the next scan
    QCOMPARE(fixture.scan.traffic().commands, commands);
}

void TestBackgroundScan::looksAreNoPartOfTheCount()
{
    for (int i = 0; i < 3000; ++i)
        m_server.run({"SET", "page:" + QByteArray::number(i), "text"});
    ScanFixture fixture(m_server.url());
    fixture.scan.open();
    QVERIFY(waitUntil([&] { return fixture.scan.counts().scanned > 0; }));
    locks("lock:", 50, m_server);
    for (int i = 0; i < 50; ++i)
        fixture.scan.probe("lock:" + QByteArray::number(i));
    fixture.scan.everySecond();
    QVERIFY(waitUntil([&] { return fixture.found() == 50; }));
    const ScanCounts counts = fixture.scan.counts();
    QVERIFY(counts.notRecognized >= 0);
    QVERIFY(counts.matched <= counts.scanned);
    QVERIFY(waitUntil([&] { return fixture.scans == 1; }));
    QVERIFY(fixture.scan.counts().scanned <= 3050);
}

void TestBackgroundScan::restartLooksAtEverythingAgain()
{
    m_server.line("SET thing:1 text");
    ScanFixture fixture(m_server.url());
    fixture.scan.open();
    QVERIFY(waitUntil([&] { return fixture.scans == 1; }));
    m_server.lines({"DEL thing:1", "HSET thing:1 rate 3 interval 1000 type 0"});
    fixture.tick(16'000);
    QVERIFY(waitUntil([&] { return fixture.scans == 2; }));
    QCOMPARE(fixture.found(), 0); // no layout detected it, and that is remembered for a while
    fixture.scan.restart();
    QVERIFY(waitUntil([&] { return fixture.scans == 3; }));
    QCOMPARE(fixture.found(), 1);
}

void TestBackgroundScan::countsAddUpDuringTheScan()
{
    locks("lock:", 1500, m_server);
    for (int i = 0; i < 1500; ++i)
        m_server.run({"SET", "page:" + QByteArray::number(i), "text"});
    ScanFixture fixture(m_server.url());
    int seen = 0;
    connect(&fixture.scan, &BackgroundScan::discovered, this, [&] {
        const ScanCounts c = fixture.scan.counts();
        ++seen;
        QCOMPARE(c.matched + c.notRecognized + c.skipped, c.scanned);
        QVERIFY(c.matched >= 0 && c.notRecognized >= 0);
    });
    fixture.scan.open();
    QVERIFY(waitUntil([&] { return fixture.scans == 1; }));
    QVERIFY(seen > 3);
    QCOMPARE(fixture.scan.counts().scanned, 3000);
    QCOMPARE(fixture.scan.counts().matched, 1500);
}

void TestBackgroundScan::pausedItAsksForNothing()
{
    locks("lock:", 3000, m_server);
    ScanFixture fixture(m_server.url());
    fixture.scan.open();
    QVERIFY(waitUntil([&] { return fixture.found() > 0; }));
    fixture.scan.setPaused(true);
    QTimer longer; // than any pause between two slices
    QSignalSpy passed(&longer, &QTimer::timeout);
    longer.start(300);
    // Commands under way finish, then nothing more is sent.
    qint64 commands = -1;
    for (int turn = 0; turn < 20 && commands != fixture.scan.traffic().commands; ++turn) {
        commands = fixture.scan.traffic().commands;
        QVERIFY(passed.wait());
    }
    fixture.scan.probe("lock:x");
    fixture.tick(60'000);
    QVERIFY(passed.wait());
    QCOMPARE(fixture.scan.traffic().commands, commands);
    QCOMPARE(fixture.scans, 0);
    fixture.scan.setPaused(false);
    QVERIFY(waitUntil([&] { return fixture.scans == 1; }));
    QCOMPARE(fixture.found(), 3000);
}

void TestBackgroundScan::startsAgainWhenTheServerIsBack()
{
    RedisServer server;
    QVERIFY(server.start());
    locks("lock:", 10, server);
    ScanFixture fixture(server.url());
    fixture.scan.open();
    QVERIFY(waitUntil([&] { return fixture.scans == 1; }));
    server.stop();
    QVERIFY(server.start());
    locks("other:lock:", 10, server);
    fixture.scan.retryNow();
    fixture.tick(16'000);
    QVERIFY(waitUntil([&] { return fixture.scans >= 2; }));
    QCOMPARE(fixture.found(), 20); // the old ones are the monitor's to forget
}

void TestBackgroundScan::aLostConnectionMidScanDoublesNothing()
{
    RedisServer server;
    QVERIFY(server.start());
    locks("lock:", 5000, server);
    ScanFixture fixture(server.url());
    fixture.scan.open();
    QVERIFY(waitUntil([&] { return fixture.scan.counts().scanned > 0; }));
    for (const QByteArray& line : server.line("CLIENT LIST").text.split('\n')) {
        if (line.contains("lockkeeper-scan"))
            server.line("CLIENT KILL ID " + line.mid(3, line.indexOf(' ') - 3));
    }
    QVERIFY(waitUntil([&] { return (fixture.tick(50), fixture.scans == 1); }));
    QCOMPARE(fixture.found(), 5000);
    QCOMPARE(fixture.scan.counts().scanned, 5000);
    QCOMPARE(fixture.decoded, 5000);
    QVERIFY(!fixture.scan.problem()); // it is whole again
}

void TestBackgroundScan::tellsWhatWasDenied()
{
    locks("lock:", 3, m_server);
    m_server.line("SET secret:1 x");
    m_server.line("ACL SETUSER some reset on >pw +@read +@connection +time ~lock:*");
    ServerUrl url = m_server.url();
    url.user = QStringLiteral("some");
    url.password = QStringLiteral("pw");
    ScanFixture fixture(url);
    fixture.scan.open();
    QVERIFY(waitUntil([&] { return fixture.scans == 1; }));
    QCOMPARE(fixture.scan.counts().skipped, 1);
    QCOMPARE(fixture.scan.counts().matched, 3);
    QVERIFY(fixture.scan.problem());
    QCOMPARE(fixture.scan.problem()->code, ErrorCode::NoPerm);
}

void TestBackgroundScan::deniedKeysAreAskedForOnce()
{
    locks("lock:", 3, m_server);
    for (int i = 0; i < 600; ++i)
        m_server.run({"SET", "secret:" + QByteArray::number(i), "x"});
    m_server.line("ACL SETUSER some reset on >pw +@read +@connection +time +dbsize ~lock:*");
    m_server.line("CONFIG SET acllog-max-len 10000");
    m_server.line("ACL LOG RESET");
    ServerUrl url = m_server.url();
    url.user = QStringLiteral("some");
    url.password = QStringLiteral("pw");
    ScanFixture fixture(url);
    fixture.scan.open();
    QVERIFY(waitUntil([&] { return fixture.scans == 1; }));
    const auto denied = [this] {
        const QByteArray stats = m_server.line("INFO commandstats").text;
        const qsizetype at = stats.indexOf("cmdstat_type:");
        const qsizetype from = stats.indexOf("rejected_calls=", at) + 15;
        return stats.mid(from, stats.indexOf(',', from) - from).toInt();
    };
    const auto logged = m_server.line("ACL LOG 10000").items.size();
    const int first = denied();
    QVERIFY(logged > 0);
    for (int scan = 2; scan < 6; ++scan) {
        fixture.tick(16'000);
        fixture.scan.probe("secret:7"); // as the feed would
        fixture.tick();
        QVERIFY(waitUntil([&] { return fixture.scans == scan; }));
        QCOMPARE(fixture.scan.counts().skipped, 600); // still told of
        QCOMPARE(fixture.scan.counts().missing.size(), 1U);
        QCOMPARE(fixture.scan.counts().missing[0].keys, 600);
        QCOMPARE(fixture.scan.counts().notRecognized, 0);
    }
    QCOMPARE(denied(), first);
    QCOMPARE(m_server.line("ACL LOG 10000").items.size(), logged);
    fixture.scan.restart(); // somebody granted something, perhaps
    QVERIFY(waitUntil([&] { return fixture.scans == 6; }));
    QVERIFY(denied() > first);
}

void TestBackgroundScan::theFirstScanKeepsToItsBudget()
{
    constexpr qint64 perSecond = 4000;
    constexpr qint64 handshake = 10; // commands
    locks("lock:", 1500, m_server);
    const SystemClock clock;
    Discovery discovery{Config()};
    BackgroundScan scan(m_server.url(), discovery, clock, perSecond);
    QSignalSpy finished(&scan, &BackgroundScan::passFinished);
    QElapsedTimer since;
    qint64 most = 0; // sent beyond what the time allows
    QTimer sampler;
    connect(&sampler, &QTimer::timeout, this, [&] {
        most = std::max(most, scan.traffic().commands - since.elapsed() * perSecond / 1000);
    });
    since.start();
    sampler.start(5);
    scan.open();
    QVERIFY(waitUntil([&] { return finished.size() == 1; }));
    QCOMPARE(discovery.registry().size(), 1500);
    QVERIFY2(most <= handshake, qPrintable(QString::number(most)));
    QVERIFY(scan.traffic().commands > 3000); // each lock takes two at least
    QCOMPARE(scan.counts().expected, 1500);  // of which the progress is told
}

// However many keys there are: what is shown then is said not to be all.
void TestBackgroundScan::endsWhereMemoryDoes()
{
    locks("lock:", 20'000, m_server);
    ScanFixture fixture(m_server.url());
    fixture.scan.setMemoryLimit(MemoryLimit(1)); // which this program has passed
    QSignalSpy finished(&fixture.scan, &BackgroundScan::passFinished);
    fixture.scan.open();
    QVERIFY(waitUntil([&] { return finished.size() == 1; }));
    const ScanCounts& counts = fixture.scan.counts();
    QVERIFY(fixture.scan.isStopped());
    QVERIFY(!counts.complete);
    QVERIFY(counts.scanned > 0 && counts.scanned < 20'000);
    QCOMPARE(counts.missing.size(), 1U);
    QCOMPARE(counts.missing[0].cause, Missing::Cause::Stopped);
    QVERIFY(counts.missing[0].detail.contains(QLatin1String("memory limit")));
    const qsizetype found = fixture.found();
    m_server.line("SET fresh:lock owner-1 PX 600000");
    fixture.scan.probe("fresh:lock"); // as the feed would
    fixture.tick();
    fixture.scan.setMemoryLimit(MemoryLimit());
    QCOMPARE(fixture.found(), found);
    fixture.scan.restart();
    QVERIFY(waitUntil([&] { return fixture.found() == 20'001; }));
}

void TestBackgroundScan::stoppedItStaysSo()
{
    locks("lock:", 3000, m_server);
    ScanFixture fixture(m_server.url(), 100'000'000); // its clock stands: what is owed adds up
    fixture.scan.open();
    QVERIFY(waitUntil([&] { return fixture.found() > 0; }));
    fixture.scan.stopPass();
    QVERIFY(!fixture.scan.isRunning());
    const ScanCounts counts = fixture.scan.counts();
    QVERIFY(!counts.complete);
    QCOMPARE(counts.missing.size(), 1U);
    QCOMPARE(counts.missing[0].cause, Missing::Cause::Stopped);
    const qint64 commands = fixture.scan.traffic().commands;
    fixture.tick(60'000);
    QCoreApplication::processEvents();
    QVERIFY(!fixture.scan.isRunning());
    QCOMPARE(fixture.scan.traffic().commands, commands);
    fixture.scan.restart();
    QVERIFY(waitUntil([&] { return fixture.scan.counts().complete; }));
    QCOMPARE(fixture.found(), 3000);
    QVERIFY(fixture.scan.counts().missing.empty());
}

LK_TEST(TestBackgroundScan);
#include "tst_backgroundscan.moc"
