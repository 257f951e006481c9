// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/connection.h"
#include "tests/support/faultproxy.h"
#include "tests/support/faultserver.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"
#include "tests/support/waiting.h"

#include <QTimer>

using namespace lk;
using namespace lk::test;
using Phase = ConnectionStatus::Phase;

namespace {

Connection::Options quick()
{
    Connection::Options options = freeToWrite();
    options.connectTimeoutMs = 300;
    options.batchTimeoutMs = 200;
    options.maxReplyBytes = 1024 * 1024;
    options.maxElements = 1000;
    return options;
}

} // namespace

/// Faults after a connection is up: each leads to one clear error, and no handler is left waiting.
class TestConnectionFaults : public QObject
{
    Q_OBJECT

private slots:
    void brokenReply_data();
    void brokenReply();
    void slowButSteady();
    void unaskedReply();
    void proxyCutsEitherWay_data();
    void proxyCutsEitherWay();
    void aFrozenServerTimesOut();
    void nothingIsSentTwice();
    void aBatchIsBoundedAsAWhole();
    void endlessRepliesAreAskedForLessAndLess();
    void whoComesAndGoesIsTriedLessAndLess();
};

void TestConnectionFaults::brokenReply_data()
{
    QTest::addColumn<QByteArray>("reply");
    QTest::addColumn<bool>("closes");
    QTest::addColumn<ErrorCode>("code");
    const auto row = [](const char* name, const QByteArray& reply, bool closes, ErrorCode code) {
        QTest::newRow(name) << reply << closes << code;
    };
    row("no answer", "", false, ErrorCode::Timeout);
    row("stalls within a bulk", "$10\r\nabc", false, ErrorCode::Timeout);
    row("stalls within an array", "*2\r\n:1\r\n", false, ErrorCode::Timeout);
    row("closes", "", true, ErrorCode::ServerClosed);
    row("closes within a bulk", "$10\r\nabc", true, ErrorCode::ServerClosed);
    row("garbage", "hello\r\n", false, ErrorCode::Protocol);
    row("RESP3", "%1\r\n+a\r\n:1\r\n", false, ErrorCode::Protocol);
    row("huge array", "*1000000000\r\n", false, ErrorCode::ReplyTooLarge);
    row("impossible array", "*5000000000\r\n", false, ErrorCode::Protocol);
    row("huge bulk", "$5000000000\r\n", false, ErrorCode::ReplyTooLarge);
    row("endless line", '+' + QByteArray(100'000, 'x'), false, ErrorCode::ReplyTooLarge);
    row("deep nesting", QByteArray("*1\r\n").repeated(20), false, ErrorCode::Protocol);
    row("many small arrays", "*900\r\n" + QByteArray("*900\r\n").repeated(2), false,
        ErrorCode::ReplyTooLarge);
}

void TestConnectionFaults::brokenReply()
{
    QFETCH(QByteArray, reply);
    QFETCH(bool, closes);
    QFETCH(ErrorCode, code);
    FaultServer server;
    server.answer("GET", {reply, false, closes});
    Connection connection(server.url(), quick());
    QVERIFY(openAndWait(connection));
    BatchProbe before;
    BatchProbe broken;
    BatchProbe after;
    connection.send({{"PING"}}, this, before.handler());
    connection.send({{"PING"}, {"GET", "k"}}, this, broken.handler());
    connection.send({{"GET", "l"}}, this, after.handler());
    QVERIFY(broken.wait() && after.wait());
    QVERIFY(before.result);
    QCOMPARE(broken.error(), code);
    QCOMPARE(after.error(), code);
    QCOMPARE(connection.status().error.code, code);
    // It recovers with a new socket and a new parser, and no handler is called twice.
    QVERIFY(waitForPhase(connection, Phase::Ready));
    QVERIFY(runAndWait(connection, {{"PING"}}));
    QCOMPARE(before.calls + broken.calls + after.calls, 3);
    QCOMPARE(connection.status().generation, 2U);
}

void TestConnectionFaults::slowButSteady()
{
    FaultServer server;
    server.answer("GET", {"*2\r\n$3\r\nabc\r\n*2\r\n:-7\r\n$-1\r\n", true, false});
    Connection connection(server.url());
    QVERIFY(openAndWait(connection));
    const BatchResult result = runAndWait(connection, {{"GET", "k"}, {"GET", "k"}});
    QVERIFY(result);
    QCOMPARE(result->back(),
             Reply::array({Reply::bulk("abc"), Reply::array({Reply::number(-7), Reply::nil()})}));
}

void TestConnectionFaults::unaskedReply()
{
    FaultServer server;
    Connection connection(server.url(), quick());
    QVERIFY(openAndWait(connection));
    QSignalSpy pushed(&connection, &Connection::pushed);
    server.sendNow("*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nx\r\n");
    QVERIFY(waitForPhase(connection, Phase::Lost));
    QCOMPARE(connection.status().error.code, ErrorCode::Protocol);
    QCOMPARE(pushed.size(), 0);
}

void TestConnectionFaults::proxyCutsEitherWay_data()
{
    QTest::addColumn<bool>("toServer");
    QTest::addColumn<int>("bytes");
    QTest::addColumn<int>("done");
    QTest::newRow("within the request") << true << 10 << 0;
    QTest::newRow("before the reply") << false << 0 << 1;
    QTest::newRow("within the reply") << false << 2 << 1;
}

void TestConnectionFaults::proxyCutsEitherWay()
{
    QFETCH(bool, toServer);
    QFETCH(int, bytes);
    QFETCH(int, done);
    RedisServer server;
    QVERIFY(server.start());
    FaultProxy proxy(server.socketPath());
    Connection connection(proxy.url(), quick());
    QVERIFY(openAndWait(connection));
    if (toServer)
        proxy.cutAfterToServer(bytes);
    else
        proxy.cutAfterToClient(bytes);
    const BatchResult result = runAndWait(connection, {{"INCR", "n"}});
    QVERIFY(!result);
    proxy.heal();
    QVERIFY(waitForPhase(connection, Phase::Ready));
    QCOMPARE(runAndWait(connection, {{"GET", "n"}})->front().text.toInt(), done);
}

void TestConnectionFaults::aFrozenServerTimesOut()
{
    RedisServer server;
    QVERIFY(server.start());
    Connection connection(server.url(), quick());
    QVERIFY(openAndWait(connection));
    server.freeze();
    QCOMPARE(runAndWait(connection, {{"PING"}}).error().code, ErrorCode::Timeout);
    // Its socket still accepts: the login has a deadline of its own.
    QTRY_COMPARE(connection.status().attempt, 2);
    server.thaw();
    QVERIFY(waitForPhase(connection, Phase::Ready));
}

void TestConnectionFaults::nothingIsSentTwice()
{
    FaultServer server;
    server.answer("DEL", {"", false, true});
    Connection connection(server.url(), quick());
    for (int round = 1; round <= 3; ++round) {
        QVERIFY(openAndWait(connection));
        QCOMPARE(runAndWait(connection, {{"DEL", "k"}}).error().code, ErrorCode::ServerClosed);
        QVERIFY(waitForPhase(connection, Phase::Ready));
        QCOMPARE(server.receivedCount("DEL"), round);
    }
}

// Each reply passes its own cap; they are all kept until the last has come.
void TestConnectionFaults::aBatchIsBoundedAsAWhole()
{
    constexpr qint64 mebibyte = 1024 * 1024;
    RedisServer server;
    QVERIFY(server.start());
    server.run({"SETRANGE", "large", QByteArray::number(8 * mebibyte), "x"});
    Connection connection(server.url());
    QVERIFY(openAndWait(connection));
    const std::vector<Command> batch(40, Command{"GET", "large"});
    const BatchResult result = runAndWait(connection, batch);
    QVERIFY(!result);
    QCOMPARE(result.error().code, ErrorCode::ReplyTooLarge);
    QVERIFY(connection.traffic().bytesReceived < 120 * mebibyte);
    QVERIFY(waitForPhase(connection, Phase::Ready)); // it can go on, with less at a time
    const BatchResult less =
        runAndWait(connection, std::vector<Command>(10, Command{"GET", "large"}));
    QVERIFY(less);
    QCOMPARE(less->size(), 10U);
}

// Each time it logs in well; what it says then is of no use.
void TestConnectionFaults::endlessRepliesAreAskedForLessAndLess()
{
    FaultServer server;
    server.answer("TYPE", "$99999999999\r\nxxxx");
    Connection connection(server.url());
    QList<qint64> pauses;
    connect(&connection, &Connection::statusChanged, this, [&](const ConnectionStatus& status) {
        if (status.phase == Phase::Ready)
            connection.send({Command{"TYPE", "a"}}, this, [](const BatchResult&) {});
        if (status.phase == Phase::Lost)
            pauses << status.nextTryInMs;
    });
    connection.open();
    QTRY_COMPARE_WITH_TIMEOUT(pauses.size(), 4, 10'000);
    QVERIFY(pauses[3] >= 1500); // 250, 500, 1000, 2000, a quarter more or less
    QVERIFY(pauses[3] > pauses[1] && pauses[2] > pauses[0]);
    server.answer("TYPE", "+none\r\n"); // a whole answer makes it all good
    QTRY_COMPARE_WITH_TIMEOUT(connection.batchesUnderWay(), 0, 10'000);
    QTRY_VERIFY_WITH_TIMEOUT(connection.isReady() && connection.roundTripMs() >= 0, 10'000);
    server.closeAll();
    QTRY_COMPARE(pauses.size(), 5);
    QVERIFY(pauses[4] < 400);
}

// The server answers each time and then closes: four logins a second for hours would be of no use.
void TestConnectionFaults::whoComesAndGoesIsTriedLessAndLess()
{
    FaultServer server;
    server.answer("GET", {"$1\r\na\r\n", false, true});
    Connection connection(server.url(), quick());
    std::vector<qint64> pauses;
    connect(&connection, &Connection::statusChanged, this, [&](const ConnectionStatus& status) {
        if (status.phase == Phase::Lost)
            pauses.push_back(status.nextTryInMs);
        if (status.phase == Phase::Ready)
            connection.send({{"GET", "a"}}, this, [](const BatchResult&) {});
    });
    connection.open();
    QVERIFY(waitUntil([&] { return pauses.size() >= 5; }));
    QVERIFY2(pauses.front() <= 320, QByteArray::number(pauses.front()).constData());
    QVERIFY2(pauses.back() >= 1500 && pauses.back() <= 2500,
             QByteArray::number(pauses.back()).constData());
}

LK_TEST(TestConnectionFaults);
#include "tst_connectionfaults.moc"
