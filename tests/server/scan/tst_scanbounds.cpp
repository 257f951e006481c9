// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/scan/backgroundscan.h"
#include "backend/text/errortext.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/faultserver.h"
#include "tests/support/testprogram.h"

#include <QElapsedTimer>
#include <QSignalSpy>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

QByteArray bulk(const QByteArray& text)
{
    return '$' + QByteArray::number(text.size()) + "\r\n" + text + "\r\n";
}

// SCAN's answer.
QByteArray scanned(const QByteArray& cursor, const QByteArrayList& names)
{
    QByteArray answer = "*2\r\n" + bulk(cursor) + '*' + QByteArray::number(names.size()) + "\r\n";
    for (const QByteArray& name : names)
        answer += bulk(name);
    return answer;
}

// Enough of a server for a look at it: strings without a TTL.
void answerAsAServer(FaultServer& server, int keys)
{
    server.answer("TIME", "*2\r\n$10\r\n1700000000\r\n$1\r\n0\r\n");
    server.answer("INFO", bulk("redis_version:7.0.15\r\nredis_mode:standalone\r\nrole:master\r\n"));
    server.answer("DBSIZE", ':' + QByteArray::number(keys) + "\r\n");
    server.answer("TYPE", "+string\r\n");
    server.answer("GETRANGE", bulk("x"));
    server.answer("PTTL", ":-1\r\n");
}

} // namespace

/// Servers that never come to an end: each look at them does.
class TestScanBounds : public QObject
{
    Q_OBJECT

private slots:
    void scanThatNeverEnds_data();
    void scanThatNeverEnds();
    void anEndlessReplyToTypeIsGivenUp();
    void theWindowTriesLessAndLess();
    void tricklingIsNoProgress();
    void progressIsTimeWon();
    void oneKeyTooLargeAfterTheOther_data();
    void oneKeyTooLargeAfterTheOther();
    void slicesAreShortBesideOthers_data();
    void slicesAreShortBesideOthers();
};

void TestScanBounds::scanThatNeverEnds_data()
{
    QTest::addColumn<bool>("newCursors");
    QTest::addColumn<int>("names");
    QTest::newRow("one cursor, one key") << false << 1;
    QTest::newRow("one cursor, no key") << false << 0;
    QTest::newRow("ever new cursors, the same keys") << true << 500;
}

void TestScanBounds::scanThatNeverEnds()
{
    QFETCH(bool, newCursors);
    QFETCH(int, names);
    FaultServer server;
    answerAsAServer(server, 10);
    QByteArrayList same;
    for (int i = 0; i < names; ++i)
        same << "lock:" + QByteArray::number(i % 10);
    int calls = 0;
    server.answerBy("SCAN", [&](const Command&) {
        ++calls;
        return scanned(newCursors ? QByteArray::number(calls) : QByteArray("7"), same);
    });
    const TakenSnapshot taken = takeSnapshot(server.url());
    QVERIFY2(taken.snapshot, qPrintable(errorText(taken.error)));
    QVERIFY(calls < 100);
    QVERIFY(!taken.scan()["complete"_L1].toBool(true));
    QCOMPARE(taken.scan()["missing"_L1][0]["cause"_L1].toString(), u"endless"_s);
    QVERIFY(taken.findings("endless").contains("not-readable"));
}

void TestScanBounds::anEndlessReplyToTypeIsGivenUp()
{
    FaultServer server;
    answerAsAServer(server, 3);
    server.answer("SCAN", scanned("0", {"a", "b", "c"}));
    server.answer("TYPE", "$99999999999\r\nxxxx");
    const TakenSnapshot taken = takeSnapshot(server.url());
    QCOMPARE(taken.answers, 1);
    QVERIFY(!taken.snapshot);
    QCOMPARE(taken.error.code, ErrorCode::ReplyTooLarge);
    QVERIFY(server.connections() < 12);
}

void TestScanBounds::theWindowTriesLessAndLess()
{
    FaultServer server;
    answerAsAServer(server, 3);
    server.answer("SCAN", "-ERR not today\r\n");
    ManualClock clock(1'000'000);
    Discovery discovery{Config()};
    BackgroundScan scan(server.url(), discovery, clock);
    scan.open();
    int tries = 1;
    QTRY_COMPARE(server.receivedCount("SCAN"), tries);
    for (const qint64 restMs : {1000, 2000, 4000, 8000}) {
        QTRY_VERIFY(!scan.isRunning());
        clock.advance(restMs - 1);
        scan.everySecond();
        QVERIFY(!scan.isRunning());
        clock.advance(1);
        scan.everySecond();
        ++tries;
        QTRY_COMPARE(server.receivedCount("SCAN"), tries);
    }
}

// Each reply resets the connection's own deadline; two hundred of them are one answer.
void TestScanBounds::tricklingIsNoProgress()
{
    FaultServer server;
    answerAsAServer(server, 200);
    QByteArrayList names;
    for (int i = 0; i < 200; ++i)
        names << "lock:" + QByteArray::number(i);
    server.answer("SCAN", scanned("0", names));
    server.answer("TYPE", QByteArray());
    QTimer trickle;
    connect(&trickle, &QTimer::timeout, this, [&] { server.sendNow("+string\r\n"); });
    const SystemClock clock;
    SnapshotTaker taker(server.url(), {}, clock);
    taker.setTimeout(400);
    QSignalSpy failed(&taker, &SnapshotTaker::failed);
    QSignalSpy finished(&taker, &SnapshotTaker::finished);
    taker.start();
    QTRY_VERIFY(server.receivedCount("TYPE") > 0);
    trickle.start(100);
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 5000);
    const Error error = failed[0][0].value<Error>();
    QCOMPARE(error.code, ErrorCode::Timeout);
    QVERIFY2(error.detail.contains(u"no progress for 400 ms"_s), qPrintable(error.detail));
    QCOMPARE(finished.size(), 0);
}

// A server that stands still again and again, for less than is allowed each time.
void TestScanBounds::progressIsTimeWon()
{
    constexpr int stillMs = 300;
    constexpr int goingMs = 40;
    RedisServer server;
    QVERIFY(server.start());
    std::vector<Command> fill;
    for (int i = 0; i < 40'000; ++i)
        fill.push_back({"SET", "lock:" + QByteArray::number(i), "ef1f63c", "PX", "600000"});
    server.runAll(fill);
    QTimer halt;
    bool still = false;
    connect(&halt, &QTimer::timeout, this, [&] {
        still = !still;
        still ? server.freeze() : server.thaw();
        halt.start(still ? stillMs : goingMs);
    });
    const SystemClock clock;
    SnapshotTaker taker(server.url(), {}, clock);
    taker.setTimeout(4 * stillMs);
    QSignalSpy failed(&taker, &SnapshotTaker::failed);
    QSignalSpy finished(&taker, &SnapshotTaker::finished);
    QElapsedTimer took;
    took.start();
    halt.start(goingMs);
    taker.start();
    QTRY_VERIFY_WITH_TIMEOUT(finished.size() + failed.size() > 0, 60'000);
    halt.stop();
    server.thaw();
    QCOMPARE(failed.size(), 0);
    QVERIFY2(took.elapsed() > 4 * stillMs, QByteArray::number(took.elapsed()).constData());
}

void TestScanBounds::oneKeyTooLargeAfterTheOther_data()
{
    QTest::addColumn<int>("small");
    QTest::newRow("alone") << 0;
    QTest::newRow("among many whose type is not asked for any more") << 4000;
}

void TestScanBounds::oneKeyTooLargeAfterTheOther()
{
    QFETCH(int, small);
    RedisServer server;
    QVERIFY(server.start());
    for (int i = 0; i < small; ++i)
        server.run({"ZADD", "scores:a" + QByteArray::number(i), "1", "anna"});
    // Each passes alone; the six together would be 120 MB in one batch.
    for (int key = 0; key < 6; ++key) {
        for (int i = 0; i < 2; ++i)
            server.run({"ZADD", "scores:" + QByteArray::number(key), QByteArray::number(i),
                        QByteArray(10 * 1024 * 1024, char('a' + i))});
    }
    server.line("SET lock:a ef1f63c PX 60000");
    const TakenSnapshot taken = takeSnapshot(server.url());
    QVERIFY2(taken.snapshot, qPrintable(errorText(taken.error)));
    QCOMPARE(taken.scan()["keys_scanned"_L1].toInt(), small + 7);
    QVERIFY2(taken.scan()["complete"_L1].toBool(), taken.json.left(2000).constData());
    QCOMPARE(taken.list("locks").size(), 1);
}

void TestScanBounds::slicesAreShortBesideOthers_data()
{
    QTest::addColumn<int>("recently");  // commands a second, by INFO
    QTest::addColumn<int>("meanwhile"); // that others send between two of our own
    QTest::addColumn<bool>("paced");
    QTest::addColumn<int>("keys");
    QTest::addColumn<bool>("isShort");
    QTest::newRow("nobody else") << 0 << 0 << false << 100'000 << false;
    QTest::newRow("others") << 20'000 << 100'000 << false << 100'000 << true;
    QTest::newRow("others until now") << 20'000 << 0 << false << 100'000 << false;
    QTest::newRow("others, few keys") << 20'000 << 100'000 << false << 80 << false;
    QTest::newRow("asked for") << 0 << 0 << true << 100'000 << true;
}

// A server answers what came in one piece before it turns to its next client.
void TestScanBounds::slicesAreShortBesideOthers()
{
    QFETCH(int, recently);
    QFETCH(int, meanwhile);
    QFETCH(bool, paced);
    QFETCH(int, keys);
    QFETCH(bool, isShort);
    FaultServer server;
    answerAsAServer(server, keys);
    qint64 processed = 1000;
    server.answerBy("INFO", [&](const Command&) {
        processed += 1 + meanwhile;
        return bulk("redis_version:7.0.15\r\nredis_mode:standalone\r\nrole:master\r\n"
                    "instantaneous_ops_per_sec:" +
                    QByteArray::number(recently) +
                    "\r\ntotal_commands_processed:" + QByteArray::number(processed) + "\r\n");
    });
    QByteArrayList names; // as many as no piece may be about, whatever it was asked for
    for (int i = 0; i < 400; ++i)
        names << "lock:" + QByteArray::number(i);
    server.answer("SCAN", scanned("0", names));
    SnapshotScope scope;
    if (paced)
        scope.pace = ScanPace::Fast;
    const TakenSnapshot taken = takeSnapshot(server.url(), {}, {}, 30'000, scope);
    QVERIFY2(taken.snapshot, qPrintable(errorText(taken.error)));
    const auto& sent = server.received();
    const auto scan = std::find_if(sent.begin(), sent.end(),
                                   [](const Command& c) { return c.args().front() == "SCAN"; });
    QVERIFY(scan != sent.end());
    const int count = scan->args()[3].toInt(); // SCAN 0 COUNT n
    QVERIFY2(isShort ? count < 50 : count == 500, scan->args()[3].constData());
    // Each piece of reads begins with TIME. None of the names is lost between them.
    const auto pieces = std::count_if(scan, sent.end(),
                                      [](const Command& c) { return c.args().front() == "TIME"; });
    QVERIFY2(isShort ? pieces > 10 : pieces < 5, QByteArray::number(pieces).constData());
    QCOMPARE(taken.list("locks").size(), names.size());
    QCOMPARE(taken.scan()["keys_scanned"_L1].toInt(), int(names.size()));
}

LK_TEST(TestScanBounds);
#include "tst_scanbounds.moc"
