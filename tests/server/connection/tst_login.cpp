// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/connection.h"
#include "backend/text/errortext.h"
#include "tests/support/faultserver.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"
#include "tests/support/waiting.h"

using namespace lk;
using namespace lk::test;
using Phase = ConnectionStatus::Phase;

namespace {

Connection::Options quick()
{
    Connection::Options options = freeToWrite();
    options.connectTimeoutMs = 300;
    return options;
}

} // namespace

/// Who may come in, and what a server says instead: one clear error each.
class TestLogin : public QObject
{
    Q_OBJECT

private slots:
    void badLogin_data();
    void badLogin();
    void toleratedLogin_data();
    void toleratedLogin();
    void nobodyThere_data();
    void nobodyThere();
    void wantsAPassword();
    void aclUser();
    void tooManyClients();
    void closesWithoutAWord();
    void tellsHowFarItIs();
    void loading();
    void busy();
    void replica();
    void moved();
};

void TestLogin::badLogin_data()
{
    QTest::addColumn<QByteArray>("command");
    QTest::addColumn<QByteArray>("reply");
    QTest::addColumn<bool>("closes");
    QTest::addColumn<ErrorCode>("code");
    QTest::addColumn<bool>("retries");
    const auto row = [](const char* name, const char* command, const char* reply, bool closes,
                        ErrorCode code, bool retries) {
        QTest::newRow(name) << QByteArray(command) << QByteArray(reply) << closes << code
                            << retries;
    };
    row("wrong password", "AUTH", "-WRONGPASS invalid username-password pair\r\n", false,
        ErrorCode::WrongPass, false);
    row("wrong password before 6", "AUTH", "-ERR invalid password\r\n", false, ErrorCode::WrongPass,
        false);
    row("no password set before 6", "AUTH", "-ERR Client sent AUTH, but no password is set\r\n",
        false, ErrorCode::WrongPass, false);
    row("password needed", "PING", "-NOAUTH Authentication required.\r\n", false, ErrorCode::NoAuth,
        false);
    row("loading", "PING", "-LOADING Redis is loading the dataset in memory\r\n", false,
        ErrorCode::Loading, true);
    row("busy", "PING", "-BUSY Redis is busy running a script.\r\n", false, ErrorCode::Busy, true);
    row("master down", "PING", "-MASTERDOWN Link with MASTER is down\r\n", false,
        ErrorCode::MasterDown, true);
    row("may not select", "SELECT", "-NOPERM this user has no permissions\r\n", false,
        ErrorCode::NoPerm, false);
    row("cluster has no databases", "SELECT", "-ERR SELECT is not allowed in cluster mode\r\n",
        false, ErrorCode::BadUrl, false);
    row("protected mode", "", "-DENIED Redis is running in protected mode. Long page.\r\n", true,
        ErrorCode::ServerError, true);
    row("too many clients", "", "-ERR max number of clients reached\r\n", true,
        ErrorCode::TooManyClients, true);
    row("expects TLS", "", "\x15\x03\x03\x02\x02F", true, ErrorCode::TlsWanted, false);
    row("closes at once", "", "", true, ErrorCode::ServerClosed, true);
    row("says nothing", "PING", "", false, ErrorCode::Timeout, true);
    row("greets", "", "220 mail.example.org ESMTP\r\n", false, ErrorCode::Protocol, true);
    row("speaks HTTP", "AUTH", "HTTP/1.1 400 Bad Request\r\n\r\n", true, ErrorCode::Protocol, true);
}

void TestLogin::badLogin()
{
    QFETCH(QByteArray, command);
    QFETCH(QByteArray, reply);
    QFETCH(bool, closes);
    QFETCH(ErrorCode, code);
    QFETCH(bool, retries);
    FaultServer server;
    if (command.isEmpty())
        server.setGreeting({reply, false, closes});
    else
        server.answer(command, {reply, false, closes});
    ServerUrl url = server.url();
    url.password = QStringLiteral("s3cret");
    url.database = 1;
    Connection connection(url, quick());
    connection.open();
    QVERIFY(waitForPhase(connection, Phase::Lost, 2000));
    const ConnectionStatus status = connection.status();
    QCOMPARE(status.error.code, code);
    QCOMPARE(status.nextTryInMs > 0, retries);
    QVERIFY(!status.error.detail.contains(QStringLiteral("s3cret")));
    QVERIFY(!status.error.detail.contains(QStringLiteral("Long page")));
    QVERIFY(!errorText(status.error).isEmpty());
    if (retries)
        QTRY_VERIFY(server.connections() >= 2);
}

void TestLogin::toleratedLogin_data()
{
    QTest::addColumn<QByteArray>("command");
    QTest::addColumn<QByteArray>("reply");
    QTest::newRow("old CLIENT") << QByteArray("CLIENT")
                                << QByteArray("-ERR unknown subcommand\r\n");
    QTest::newRow("may not CLIENT") << QByteArray("CLIENT") << QByteArray("-NOPERM no\r\n");
    QTest::newRow("may not PING") << QByteArray("PING") << QByteArray("-NOPERM no\r\n");
    QTest::newRow("full disk") << QByteArray("PING")
                               << QByteArray(
                                      "-MISCONF Redis is configured to save RDB snapshots\r\n");
    QTest::newRow("may not INFO") << QByteArray("INFO") << QByteArray("-NOPERM no\r\n");
    QTest::newRow("may not ROLE") << QByteArray("ROLE") << QByteArray("-NOPERM no\r\n");
    QTest::newRow("no PING") << QByteArray("PING") << QByteArray("-ERR unknown command 'PING'\r\n");
}

void TestLogin::toleratedLogin()
{
    QFETCH(QByteArray, command);
    QFETCH(QByteArray, reply);
    FaultServer server;
    server.answer(command, reply);
    Connection connection(server.url(), quick());
    QVERIFY(openAndWait(connection));
    QCOMPARE(runAndWait(connection, {{"GET", "k"}})->front(), Reply::status("OK"));
}

void TestLogin::nobodyThere_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<ErrorCode>("code");
    QTcpServer gone;
    gone.listen(QHostAddress::LocalHost);
    QTest::newRow("tcp") << QStringLiteral("redis://127.0.0.1:%1").arg(gone.serverPort())
                         << ErrorCode::Refused;
    QTest::newRow("unix") << QStringLiteral("unix:///nowhere/redis.sock") << ErrorCode::Refused;
    QTest::newRow("no such host") << QStringLiteral("redis://no-such-host.invalid")
                                  << ErrorCode::NameNotFound;
    QTest::newRow("no CA file") << QStringLiteral("rediss://127.0.0.1:1?ca=/nowhere/ca.pem")
                                << ErrorCode::TlsFailed;
}

void TestLogin::nobodyThere()
{
    QFETCH(QString, url);
    QFETCH(ErrorCode, code);
    Connection::Options options;
    Connection connection(*parseServerUrl(url), options);
    connection.open();
    QVERIFY(waitForPhase(connection, Phase::Lost));
    QCOMPARE(connection.status().error.code, code);
    QVERIFY(!connection.status().error.detail.isEmpty());
}

void TestLogin::wantsAPassword()
{
    RedisServer server({QStringLiteral("--requirepass"), QStringLiteral("gate")});
    QVERIFY(server.start());
    Connection connection(server.url(), quick());
    connection.open();
    QVERIFY(waitForPhase(connection, Phase::Lost));
    QCOMPARE(connection.status().error.code, ErrorCode::NoAuth);
    QCOMPARE(connection.status().nextTryInMs, 0);
    connection.setPassword({}, QStringLiteral("wrong"));
    connection.retryNow();
    QTRY_COMPARE(connection.status().error.code, ErrorCode::WrongPass);
    QCOMPARE(connection.status().nextTryInMs, 0);
    connection.setPassword({}, QStringLiteral("gate"));
    connection.retryNow();
    QVERIFY(waitForPhase(connection, Phase::Ready));
}

void TestLogin::aclUser()
{
    RedisServer server;
    QVERIFY(server.start());
    QCOMPARE(server.line("ACL SETUSER reader on >\"p w:@\" ~lock:* +get").text, "OK");
    ServerUrl url = server.url();
    url.user = QStringLiteral("reader");
    url.password = QStringLiteral("p w:@");
    Connection connection(url, quick());
    QVERIFY(openAndWait(connection)); // although PING and CLIENT are refused
    const BatchResult result =
        runAndWait(connection, {{"GET", "lock:a"}, {"GET", "other"}, {"SET", "lock:a", "1"}});
    QVERIFY(result);
    QVERIFY(result->at(0).isNil());
    QCOMPARE(errorFromReply(result->at(1).text).code, ErrorCode::NoPerm);
    QCOMPARE(errorFromReply(result->at(2).text).code, ErrorCode::NoPerm);
    url.password.clear();
    Connection passwordless(url, quick()); // must not become the default user
    passwordless.open();
    QVERIFY(waitForPhase(passwordless, Phase::Lost));
    QCOMPARE(passwordless.status().error.code, ErrorCode::WrongPass);
}

void TestLogin::tooManyClients()
{
    RedisServer server({QStringLiteral("--maxclients"), QStringLiteral("1")});
    QVERIFY(server.start());
    QCOMPARE(server.line("PING").text, "PONG");
    Connection connection(server.url(), quick());
    connection.open();
    // The server reports it and closes. If the greeting crosses that, its text may be lost; the
    // next try gets it.
    QTRY_COMPARE_WITH_TIMEOUT(connection.status().error.detail,
                              QStringLiteral("ERR max number of clients reached"), 30'000);
    QVERIFY(connection.status().nextTryInMs > 0);
}

// As a TLS port does that is spoken to in plain text.
void TestLogin::closesWithoutAWord()
{
    FaultServer server;
    server.setGreeting({{}, false, true});
    Connection connection(server.url(), quick());
    connection.open();
    QVERIFY(waitForPhase(connection, Phase::Lost, 2000));
    QCOMPARE(connection.status().error.detail, server.url().endpoint());
    QVERIFY(errorAdvice(connection.status().error).contains(QStringLiteral("rediss://")));
}

void TestLogin::tellsHowFarItIs()
{
    FaultServer server;
    const QByteArray info = "loading:1\r\nloading_loaded_perc:42.37\r\nloading_eta_seconds:90\r\n"
                            "role:slave\r\nmaster_host:10.0.0.1\r\nmaster_port:6380\r\n";
    server.answer("INFO", '$' + QByteArray::number(info.size()) + "\r\n" + info + "\r\n");
    server.answer("PING", QByteArray("-LOADING Redis is loading the dataset in memory\r\n"));
    Connection loading(server.url(), quick());
    loading.open();
    QVERIFY(waitForPhase(loading, Phase::Lost, 2000));
    const QString text = errorText(loading.status().error);
    QVERIFY2(text.contains(QStringLiteral("42 % read, about 1 m 30 s left")), qPrintable(text));
    server.answer("PING", QByteArray("-MASTERDOWN Link with MASTER is down\r\n"));
    Connection down(server.url(), quick());
    down.open();
    QVERIFY(waitForPhase(down, Phase::Lost, 2000));
    QCOMPARE(down.status().error.detail, QStringLiteral("10.0.0.1:6380"));
}

void TestLogin::loading()
{
    RedisServer server;
    QVERIFY(server.start());
    for (int i = 0; i < 40; ++i)
        server.run({"SET", "key" + QByteArray::number(i), QByteArray(1000, 'x')});
    server.line("SAVE");
    server.setArguments({QStringLiteral("--key-load-delay"), QStringLiteral("20000"),
                         QStringLiteral("--loading-process-events-interval-bytes"),
                         QStringLiteral("1024"), QStringLiteral("--rdbcompression"),
                         QStringLiteral("no")});
    QVERIFY(server.startWithoutWaiting());
    Connection connection(server.url());
    connection.open();
    QTRY_COMPARE(connection.status().error.code, ErrorCode::Loading);
    QVERIFY(connection.status().nextTryInMs > 0);
    QVERIFY(waitForPhase(connection, Phase::Ready));
    QCOMPARE(runAndWait(connection, {{"DBSIZE"}})->front().integer, 40);
}

void TestLogin::busy()
{
    RedisServer server({QStringLiteral("--busy-reply-threshold"), QStringLiteral("1")});
    QVERIFY(server.start());
    Connection connection(server.url());
    QVERIFY(openAndWait(connection));
    RespClient hog(server.socketPath());
    hog.write({"EVAL", "while true do end", "0"});
    QTRY_COMPARE(errorFromReply(runAndWait(connection, {{"GET", "k"}})->front().text).code,
                 ErrorCode::Busy);
    QVERIFY(connection.isReady());
    Connection late(server.url());
    late.open();
    QVERIFY(waitForPhase(late, Phase::Lost));
    QCOMPARE(late.status().error.code, ErrorCode::Busy);
    QCOMPARE(server.line("SCRIPT KILL").text, "OK");
    QVERIFY(hog.read().isError());
    QVERIFY(waitForPhase(late, Phase::Ready));
}

void TestLogin::replica()
{
    RedisServer master({QStringLiteral("--repl-diskless-sync-delay"), QStringLiteral("0")});
    master.addTcp();
    QVERIFY(master.start());
    RedisServer server({QStringLiteral("--replicaof"), QStringLiteral("127.0.0.1"),
                        QString::number(master.port()),
                        QStringLiteral("--replica-serve-stale-data"), QStringLiteral("no")});
    QVERIFY(server.start());
    Connection connection(server.url(), freeToWrite());
    QVERIFY(openAndWait(connection)); // perhaps after some MASTERDOWN
    const BatchResult result = runAndWait(connection, {{"SET", "k", "1"}});
    QCOMPARE(errorFromReply(result->front().text).code, ErrorCode::ReadOnly);
    master.stop();
    QTRY_COMPARE(errorFromReply(runAndWait(connection, {{"GET", "k"}})->front().text).code,
                 ErrorCode::MasterDown);
    Connection late(server.url());
    late.open();
    QVERIFY(waitForPhase(late, Phase::Lost));
    QCOMPARE(late.status().error.code, ErrorCode::MasterDown);
    QVERIFY(late.status().nextTryInMs > 0);
}

void TestLogin::moved()
{
    RedisServer server({QStringLiteral("--cluster-enabled"), QStringLiteral("yes"),
                        QStringLiteral("--cluster-require-full-coverage"), QStringLiteral("no")});
    server.addTcp();
    QVERIFY(server.start());
    Connection connection(server.url());
    QVERIFY(openAndWait(connection));
    const BatchResult result = runAndWait(connection, {{"GET", "k"}});
    QCOMPARE(errorFromReply(result->front().text).code, ErrorCode::ClusterDown);
    FaultServer other;
    other.answer("GET", QByteArray("-MOVED 7629 10.0.0.2:6379\r\n"));
    Connection redirected(other.url());
    QVERIFY(openAndWait(redirected));
    const BatchResult away = runAndWait(redirected, {{"GET", "k"}});
    QCOMPARE(errorFromReply(away->front().text).code, ErrorCode::Moved);
    QVERIFY(redirected.isReady());
}

LK_TEST(TestLogin);
#include "tst_login.moc"
