// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/connection.h"
#include "backend/redis/script.h"
#include "tests/support/faultserver.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"
#include "tests/support/waiting.h"

using namespace lk;
using namespace lk::test;

class TestScript : public QObject
{
    Q_OBJECT

private:
    Result<Reply> run(Connection& connection, const Script& script, std::vector<QByteArray> keys,
                      std::vector<QByteArray> args);

    RedisServer m_server;

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init() { m_server.lines({"FLUSHALL", "SCRIPT FLUSH"}); }

    void shaIsTheServersOwn();
    void commands();
    void missingResource();
    void loadsOnceThenRunsBySha();
    void scriptErrorsAreReplies();
    void aScriptsOwnNoScriptIsNotSentAgain();
    void lostConnectionIsNotSentAgain();
    void deletedWhileRunning();
};

Result<Reply> TestScript::run(Connection& connection, const Script& script,
                              std::vector<QByteArray> keys, std::vector<QByteArray> args)
{
    Result<Reply> result = failure(ErrorCode::Cancelled);
    bool done = false;
    QObject context;
    launch(runScript(connection, script, std::move(keys), std::move(args), &context),
           [&](Result<Reply> reply) {
               result = std::move(reply);
               done = true;
           });
    return QTest::qWaitFor([&] { return done; }) ? result : failure(ErrorCode::Timeout);
}

void TestScript::shaIsTheServersOwn()
{
    const Script script("return 1");
    QCOMPARE(m_server.run({"SCRIPT", "LOAD", script.source()}).text, script.sha());
}

void TestScript::commands()
{
    const Script script("return 1");
    QCOMPARE(script.evalSha({"k1", "k2"}, {"a"}),
             (Command{"EVALSHA", script.sha(), "2", "k1", "k2", "a"}));
    QCOMPARE(script.eval({}, {}), (Command{"EVAL", "return 1", "0"}));
    QVERIFY(!isReadOnly(script.evalSha({}, {})));
}

void TestScript::missingResource()
{
    const Result<Script> script = Script::fromResource(QStringLiteral(":/lua/absent.lua"));
    QVERIFY(!script);
    QCOMPARE(script.error().code, ErrorCode::FileError);
    QVERIFY(script.error().detail.contains(QStringLiteral("absent.lua")));
}

void TestScript::loadsOnceThenRunsBySha()
{
    Connection connection(m_server.url(), freeToWrite());
    QVERIFY(openAndWait(connection));
    const Script script("return {redis.call('INCR', KEYS[1]), ARGV[1]}");
    const qint64 before = connection.traffic().commands;
    QCOMPARE(*run(connection, script, {"n"}, {"x"}),
             Reply::array({Reply::number(1), Reply::bulk("x")}));
    QCOMPARE(connection.traffic().commands - before, 2); // EVALSHA, EVAL
    QCOMPARE(*run(connection, script, {"n"}, {"x"}),
             Reply::array({Reply::number(2), Reply::bulk("x")}));
    QCOMPARE(connection.traffic().commands - before, 3);
}

void TestScript::scriptErrorsAreReplies()
{
    Connection connection(m_server.url(), freeToWrite());
    QVERIFY(openAndWait(connection));
    QVERIFY(run(connection, Script("return redis.call('INCR')"), {}, {})->isError());
    QVERIFY(run(connection, Script("not lua"), {}, {})->isError());
}

void TestScript::aScriptsOwnNoScriptIsNotSentAgain()
{
    Connection connection(m_server.url(), freeToWrite());
    QVERIFY(openAndWait(connection));
    const Script script("redis.call('INCR', KEYS[1]) return redis.error_reply('NOSCRIPT mine')");
    QVERIFY(run(connection, script, {"n"}, {})->isError());
    QVERIFY(run(connection, script, {"n"}, {})->isError());
    QCOMPARE(m_server.line("GET n").text, "2");
}

void TestScript::lostConnectionIsNotSentAgain()
{
    FaultServer server;
    server.answer("EVALSHA", {"", false, true});
    Connection connection(server.url(), freeToWrite());
    QVERIFY(openAndWait(connection));
    const Result<Reply> result = run(connection, Script("return 1"), {}, {});
    QVERIFY(!result);
    QCOMPARE(result.error().code, ErrorCode::ServerClosed);
    QVERIFY(waitForPhase(connection, ConnectionStatus::Phase::Ready));
    QCOMPARE(server.receivedCount("EVALSHA"), 1);
    QCOMPARE(server.receivedCount("EVAL"), 0);
}

void TestScript::deletedWhileRunning()
{
    auto connection = std::make_unique<Connection>(m_server.url(), freeToWrite());
    QVERIFY(openAndWait(*connection));
    int calls = 0;
    launch(runScript(*connection, Script("return 1"), {}, {}, this), [&](Result<Reply> reply) {
        QVERIFY(!reply);
        ++calls;
    });
    connection.reset();
    QTRY_COMPARE(calls, 1);
}

LK_TEST(TestScript);
#include "tst_script.moc"
