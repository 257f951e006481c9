// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/connection.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"
#include "tests/support/waiting.h"

using namespace lk;
using namespace lk::test;
using Phase = ConnectionStatus::Phase;

class TestConnection : public QObject
{
    Q_OBJECT

private:
    RedisServer m_server;

private slots:
    void initTestCase()
    {
        m_server.addTcp();
        QVERIFY2(m_server.start(), m_server.output());
    }
    void init() { m_server.flush(); }

    void connects_data();
    void connects();
    void repliesComeInOrder();
    void everyReplyTypeArrives();
    void errorRepliesDoNotFailTheBatch();
    void manyCommandsDoNotHoldUpTheEventLoop();
    void selectsTheDatabase();
    void refusesADatabaseThatIsNotThere();
    void namesItself();
    void failsWhatCannotBeSent();
    void handlerMaySendCloseAndDelete();
    void contextGuardsTheHandler();
    void closeCancels();
    void deletingCancels();
    void countsTraffic();
    void pushesMessages();
    void pushesInvalidations();
    void reconnectsAfterTheServerCameBack();
    void retryNowDoesNotWait();
    void doesNotReconnectWhenToldSo();
};

void TestConnection::connects_data()
{
    QTest::addColumn<ServerUrl>("url");
    ServerUrl named = m_server.tcpUrl();
    named.host = QStringLiteral("localhost");
    QTest::newRow("unix") << m_server.url();
    QTest::newRow("tcp") << m_server.tcpUrl();
    QTest::newRow("tcp by name") << named;
}

void TestConnection::connects()
{
    QFETCH(ServerUrl, url);
    Connection connection(url, freeToWrite());
    QCOMPARE(connection.status().phase, Phase::Closed);
    std::vector<Phase> phases;
    connect(&connection, &Connection::statusChanged, this,
            [&](const ConnectionStatus& s) { phases.push_back(s.phase); });
    QVERIFY(openAndWait(connection));
    const std::vector<Phase> expected{Phase::Resolving, Phase::Connecting, Phase::Authenticating,
                                      Phase::Ready};
    QCOMPARE(phases, expected);
    QCOMPARE(connection.status().generation, 1U);
    QCOMPARE(connection.status().attempt, 0);
    QCOMPARE(runAndWait(connection, {{"ECHO", "x"}})->front(), Reply::bulk("x"));
    QVERIFY(connection.roundTripMs() > 0);
}

void TestConnection::repliesComeInOrder()
{
    Connection connection(m_server.url(), freeToWrite());
    QVERIFY(openAndWait(connection));
    std::vector<int> order;
    for (int i = 0; i < 50; ++i) {
        connection.send({{"ECHO", QByteArray::number(i)}, {"PING"}}, this, [&, i](BatchResult r) {
            QVERIFY(r);
            QCOMPARE(r->size(), 2U);
            QCOMPARE(r->front().text, QByteArray::number(i));
            order.push_back(i);
        });
    }
    QCOMPARE(connection.batchesUnderWay(), 50);
    QTRY_COMPARE(order.size(), 50U);
    QVERIFY(std::is_sorted(order.begin(), order.end()));
    QCOMPARE(connection.batchesUnderWay(), 0);
}

void TestConnection::everyReplyTypeArrives()
{
    Connection connection(m_server.url(), freeToWrite());
    QVERIFY(openAndWait(connection));
    const QByteArray binary("a\0\r\n\xff", 5);
    const BatchResult result = runAndWait(connection, {{"SET", binary, binary},
                                                       {"GET", binary},
                                                       {"GET", "absent"},
                                                       {"INCR", "n"},
                                                       {"RPUSH", "l", "", "b"},
                                                       {"LRANGE", "l", "0", "-1"},
                                                       {"LRANGE", "none", "0", "-1"}});
    QVERIFY(result);
    const std::vector<Reply> expected{
        Reply::status("OK"), Reply::bulk(binary), Reply::nil(),
        Reply::number(1),    Reply::number(2),    Reply::array({Reply::bulk(""), Reply::bulk("b")}),
        Reply::array({}),
    };
    QCOMPARE(*result, expected);
}

void TestConnection::errorRepliesDoNotFailTheBatch()
{
    Connection connection(m_server.url(), freeToWrite());
    QVERIFY(openAndWait(connection));
    const BatchResult result =
        runAndWait(connection, {{"SET", "s", "1"}, {"LLEN", "s"}, {"NONSENSE"}, {"GET", "s"}});
    QVERIFY(result);
    QCOMPARE(errorFromReply(result->at(1).text).code, ErrorCode::WrongType);
    QVERIFY(result->at(2).isError());
    QCOMPARE(result->at(3).text, "1");
    QVERIFY(connection.isReady());
}

void TestConnection::manyCommandsDoNotHoldUpTheEventLoop()
{
    Connection connection(m_server.url(), freeToWrite());
    QVERIFY(openAndWait(connection));
    constexpr int batches = 200;
    constexpr int commands = 1000;
    int answered = 0;
    for (int b = 0; b < batches; ++b) {
        connection.send(std::vector<Command>(commands, Command{"GET", "absent"}), this,
                        [&](BatchResult r) { answered += r ? int(r->size()) : 0; });
    }
    int turns = 0;
    QTimer ticks;
    connect(&ticks, &QTimer::timeout, this, [&] { ++turns; });
    ticks.start(0);
    QTRY_COMPARE_WITH_TIMEOUT(answered, batches * commands, 30'000);
    QVERIFY2(turns > 10, "the event loop was not returned to while replies were taken");
}

void TestConnection::selectsTheDatabase()
{
    ServerUrl url = m_server.url();
    url.database = 7;
    Connection connection(url, freeToWrite());
    QVERIFY(openAndWait(connection));
    QVERIFY(runAndWait(connection, {{"SET", "here", "1"}}));
    m_server.line("SELECT 7");
    QCOMPARE(m_server.line("GET here").text, "1");
    m_server.line("SELECT 0");
}

void TestConnection::refusesADatabaseThatIsNotThere()
{
    ServerUrl url = m_server.url();
    url.database = 99;
    Connection connection(url, freeToWrite());
    connection.open();
    QVERIFY(waitForPhase(connection, Phase::Lost));
    QCOMPARE(connection.status().error.code, ErrorCode::BadUrl);
    QCOMPARE(connection.status().nextTryInMs, 0);
}

void TestConnection::namesItself()
{
    Connection connection(m_server.url(), freeToWrite());
    QVERIFY(openAndWait(connection));
    QCOMPARE(runAndWait(connection, {{"CLIENT", "GETNAME"}})->front().text, "lockkeeper");
    ServerUrl url = m_server.url();
    url.clientName = QStringLiteral("canal");
    Connection other(url);
    QVERIFY(openAndWait(other));
    QCOMPARE(runAndWait(other, {{"CLIENT", "GETNAME"}})->front().text, "canal");
}

void TestConnection::failsWhatCannotBeSent()
{
    Connection connection(m_server.url(), freeToWrite());
    BatchProbe early;
    connection.send({{"PING"}}, this, early.handler());
    QCOMPARE(early.calls, 0); // later, from the event loop
    QVERIFY(early.wait());
    QCOMPARE(early.error(), ErrorCode::Cancelled);

    QVERIFY(openAndWait(connection));
    BatchProbe empty;
    connection.send({}, this, empty.handler());
    BatchProbe nameless;
    connection.send({{"PING"}, {}}, this, nameless.handler());
    QVERIFY(empty.wait() && nameless.wait());
    QCOMPARE(empty.error(), ErrorCode::BadArgument);
    QCOMPARE(nameless.error(), ErrorCode::BadArgument);
    QVERIFY(runAndWait(connection, {{"PING"}}));
}

void TestConnection::handlerMaySendCloseAndDelete()
{
    QPointer<Connection> connection = new Connection(m_server.url());
    QVERIFY(openAndWait(*connection));
    int calls = 0;
    BatchProbe after;
    connection->send({{"PING"}}, this, [&](BatchResult) {
        connection->send({{"PING"}}, this, [&](BatchResult r) {
            QVERIFY(r);
            ++calls;
            connection->close();
            connection->open();
        });
    });
    QTRY_COMPARE(calls, 1);
    QVERIFY(waitForPhase(*connection, Phase::Ready));
    connection->send({{"PING"}}, this, [&](BatchResult) {
        ++calls;
        delete connection;
    });
    connection->send({{"PING"}}, this, after.handler());
    QTRY_COMPARE(calls, 2);
    QVERIFY(!connection);
    QVERIFY(after.wait());
    QCOMPARE(after.calls, 1);
}

void TestConnection::contextGuardsTheHandler()
{
    Connection connection(m_server.url(), freeToWrite());
    QVERIFY(openAndWait(connection));
    auto context = std::make_unique<QObject>();
    int calls = 0;
    connection.send({{"PING"}}, context.get(), [&](BatchResult) { ++calls; });
    context.reset();
    QVERIFY(runAndWait(connection, {{"PING"}}));
    QCOMPARE(calls, 0);
}

void TestConnection::closeCancels()
{
    Connection connection(m_server.url(), freeToWrite());
    QVERIFY(openAndWait(connection));
    QSignalSpy statuses(&connection, &Connection::statusChanged);
    BatchProbe first;
    BatchProbe second;
    connection.send({{"PING"}}, this, first.handler());
    connection.send({{"PING"}}, this, second.handler());
    connection.close();
    QCOMPARE(first.calls, 0);
    QVERIFY(first.wait() && second.wait());
    QCOMPARE(first.error(), ErrorCode::Cancelled);
    QCOMPARE(second.error(), ErrorCode::Cancelled);
    QCOMPARE(statuses.size(), 1);
    QCOMPARE(connection.status().phase, Phase::Closed);
    QVERIFY(openAndWait(connection));
    QCOMPARE(connection.status().generation, 2U);
}

void TestConnection::deletingCancels()
{
    auto connection = std::make_unique<Connection>(m_server.url());
    QVERIFY(openAndWait(*connection));
    BatchProbe probe;
    connection->send({{"PING"}}, this, probe.handler());
    connection.reset();
    QVERIFY(probe.wait());
    QCOMPARE(probe.error(), ErrorCode::Cancelled);
    QCOMPARE(probe.calls, 1);
}

void TestConnection::countsTraffic()
{
    Connection connection(m_server.url(), freeToWrite());
    QVERIFY(openAndWait(connection));
    const TrafficCounts before = connection.traffic();
    QVERIFY(runAndWait(connection, {{"PING"}, {"PING"}}));
    const TrafficCounts after = connection.traffic();
    QCOMPARE(after.commands - before.commands, 2);
    QCOMPARE(after.bytesSent - before.bytesSent, 2 * 14);
    QCOMPARE(after.bytesReceived - before.bytesReceived, 2 * 7);
}

void TestConnection::pushesMessages()
{
    Connection connection(m_server.url(), freeToWrite());
    QVERIFY(openAndWait(connection));
    QSignalSpy pushed(&connection, &Connection::pushed);
    // The list's first element must not be taken for a message: it comes before the subscription.
    m_server.line("RPUSH l message a b");
    const BatchResult result = runAndWait(
        connection, {{"LRANGE", "l", "0", "-1"}, {"SUBSCRIBE", "gate"}, {"PSUBSCRIBE", "q:*"}});
    QVERIFY(result);
    QCOMPARE(result->at(0).items.size(), 3U);
    QCOMPARE(result->at(1).items.front().text, "subscribe");
    QCOMPARE(result->at(2).items.front().text, "psubscribe");
    m_server.lines({"PUBLISH gate open", "PUBLISH q:1 item"});
    QTRY_COMPARE(pushed.size(), 2);
    QCOMPARE(pushed[0][0].value<Reply>(),
             Reply::array({Reply::bulk("message"), Reply::bulk("gate"), Reply::bulk("open")}));
    QCOMPARE(pushed[1][0].value<Reply>().items.size(), 4U);
    QCOMPARE(runAndWait(connection, {{"PING"}})->front().items.front().text, "pong");
    QCOMPARE(pushed.size(), 2);
}

void TestConnection::pushesInvalidations()
{
    Connection feed(m_server.url(), freeToWrite());
    Connection commands(m_server.url(), freeToWrite());
    QVERIFY(openAndWait(feed) && openAndWait(commands));
    QSignalSpy pushed(&feed, &Connection::pushed);
    const BatchResult setup =
        runAndWait(feed, {{"CLIENT", "ID"}, {"SUBSCRIBE", "__redis__:invalidate"}});
    QVERIFY(setup);
    const QByteArray id = QByteArray::number(setup->front().integer);
    QCOMPARE(runAndWait(commands,
                        {{"CLIENT", "TRACKING", "ON", "REDIRECT", id, "BCAST", "PREFIX", "lock:"}})
                 ->front(),
             Reply::status("OK"));
    m_server.lines({"SET lock:a 1", "SET other 1"});
    QTRY_COMPARE(pushed.size(), 1);
    QCOMPARE(pushed[0][0].value<Reply>().items[2], Reply::array({Reply::bulk("lock:a")}));
    m_server.flush();
    QTRY_COMPARE(pushed.size(), 2);
    QVERIFY(pushed[1][0].value<Reply>().items[2].isNil());
}

void TestConnection::reconnectsAfterTheServerCameBack()
{
    RedisServer server;
    QVERIFY(server.start());
    Connection connection(server.url(), freeToWrite());
    QVERIFY(openAndWait(connection));
    BatchProbe probe;
    server.freeze();
    connection.send({{"INCR", "n"}}, this, probe.handler());
    server.stop();
    QVERIFY(probe.wait());
    QVERIFY(!probe.result);
    QCOMPARE(connection.status().phase, Phase::Lost);
    QVERIFY(connection.status().nextTryInMs > 0);
    QCOMPARE(runAndWait(connection, {{"PING"}}).error(), connection.status().error);
    QTRY_VERIFY(connection.status().attempt >= 2); // it goes on trying, with growing pauses
    QVERIFY(server.start());
    QVERIFY(waitForPhase(connection, Phase::Ready));
    QCOMPARE(connection.status().generation, 2U);
    QCOMPARE(connection.status().attempt, 0);
    QCOMPARE(server.line("EXISTS n").integer, 0); // and sends nothing twice
    QCOMPARE(probe.calls, 1);
}

void TestConnection::retryNowDoesNotWait()
{
    RedisServer server;
    Connection connection(server.url(), freeToWrite());
    connection.open();
    QTRY_VERIFY(connection.status().nextTryInMs > 700); // the third pause at the least
    QCOMPARE(connection.status().error.code, ErrorCode::Refused);
    QVERIFY(server.start());
    connection.retryNow();
    QVERIFY(waitForPhase(connection, Phase::Ready, 500));
}

void TestConnection::doesNotReconnectWhenToldSo()
{
    Connection::Options options;
    options.reconnect = false;
    RedisServer server;
    Connection connection(server.url(), options);
    connection.open();
    QVERIFY(waitForPhase(connection, Phase::Lost));
    QCOMPARE(connection.status().nextTryInMs, 0);
    QCOMPARE(connection.status().attempt, 1);
}

LK_TEST(TestConnection);
#include "tst_connection.moc"
