// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/executor/actionexecutor.h"
#include "backend/acting/planning/preflight.h"
#include "backend/redis/connection.h"
#include "backend/redis/server/capabilities.h"
#include "backend/session/sessionacting.h"
#include "tests/server/livesession.h"
#include "tests/support/faultserver.h"
#include "tests/support/testprogram.h"
#include "tests/support/waiting.h"

#include <QTemporaryDir>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

using Access = Connection::Access;
Q_DECLARE_METATYPE(Connection::Access)

namespace {

QByteArray bulk(const QByteArray& text)
{
    return '$' + QByteArray::number(text.size()) + "\r\n" + text + "\r\n";
}

bool heardNoTouch(const FaultServer& server)
{
    const auto& all = server.received();
    return std::any_of(all.begin(), all.end(), [](const Command& c) {
        return c.args().size() > 1 && c.args()[1].toUpper() == "NO-TOUCH";
    });
}

Connection::Options as(Access access)
{
    Connection::Options options;
    options.access = access;
    return options;
}

} // namespace

/// A connection that only reads asks the server not to touch the keys, if that is safe. One that
/// can write never does. The two are never the same connection.
class TestActingConnection : public QObject
{
    Q_OBJECT

private slots:
    void noTouchOnlyWhereItIsSafe_data();
    void noTouchOnlyWhereItIsSafe();
    void asksOnlyWhatTheServerHas_data();
    void asksOnlyWhatTheServerHas();
    void aRealServer();
    void whatReadsNeverWrites();
    void writeModeHasAConnectionOfItsOwn();
    void losingEitherEndsWriteMode_data();
    void losingEitherEndsWriteMode();
    void whereItMayNotAct_data();
    void whereItMayNotAct();
    void triedAgainAtOnce();
};

void TestActingConnection::noTouchOnlyWhereItIsSafe_data()
{
    QTest::addColumn<QByteArray>("info");
    QTest::addColumn<bool>("sent");
    const auto row = [](const char* name, const char* info, bool sent) {
        QTest::newRow(name) << QByteArray(info) << sent;
    };
    row("Redis 5", "redis_version:5.0.14\r\n", false);
    row("Redis 7.0", "redis_version:7.0.15\r\n", false);
    row("Redis 7.2", "redis_version:7.2.4\r\n", true);
    row("Redis 8.0", "redis_version:8.0.0\r\n", false);
    row("Redis 8.2.2", "redis_version:8.2.2\r\n", false);
    row("Redis 8.2.3", "redis_version:8.2.3\r\n", true);
    row("Valkey 8.0", "redis_version:7.2.4\r\nvalkey_version:8.0.2\r\n", false);
    row("Valkey 8.1.3", "redis_version:7.2.4\r\nvalkey_version:8.1.3\r\n", false);
    row("Valkey 8.1.4", "redis_version:7.2.4\r\nvalkey_version:8.1.4\r\n", true);
    row("Valkey 9", "redis_version:7.2.4\r\nvalkey_version:9.0.0\r\n", true);
    row("KeyDB", "redis_version:6.3.4\r\nmvcc_depth:0\r\n", false);
    row("Dragonfly", "redis_version:7.4.0\r\ndragonfly_version:df-v1.25.1\r\n", false);
    row("denied", nullptr, false);
}

void TestActingConnection::noTouchOnlyWhereItIsSafe()
{
    QFETCH(QByteArray, info);
    QFETCH(bool, sent);
    FaultServer server;
    server.answer("INFO", info.isEmpty() ? QByteArray("-NOPERM no\r\n") : bulk(info));
    for (const Access access : {Access::Acting, Access::Free}) {
        Connection writes(server.url(), as(access));
        QVERIFY(openAndWait(writes));
        writes.setWriteMode(true);
        QVERIFY(!writes.leavesKeysUntouched());
        QVERIFY(!heardNoTouch(server));
    }
    Connection reads(server.url());
    QVERIFY(openAndWait(reads));
    QCOMPARE(heardNoTouch(server), sent);
    QCOMPARE(reads.leavesKeysUntouched(), sent);
}

void TestActingConnection::asksOnlyWhatTheServerHas_data()
{
    QTest::addColumn<QByteArray>("version");
    QTest::addColumn<int>("acl");
    QTest::newRow("neither users nor DRYRUN") << QByteArray("5.0.14") << 0;
    QTest::newRow("no DRYRUN") << QByteArray("6.2.14") << 1;
    QTest::newRow("both") << QByteArray("7.0.15") << 2; // once without keys
}

void TestActingConnection::asksOnlyWhatTheServerHas()
{
    QFETCH(QByteArray, version);
    QFETCH(int, acl);
    FaultServer server;
    server.answer("INFO", bulk("redis_version:" + version + "\r\n"));
    Connection reads(server.url());
    QVERIFY(openAndWait(reads));
    Plan plan;
    plan.script = "lock-release";
    plan.keys = {"lock:a"};
    int calls = 0;
    ServerLimits limits;
    launch(readLimits(reads, this), [&](const Result<ServerLimits>& read) {
        QVERIFY(read && read->known);
        limits = *read;
    });
    QTRY_VERIFY(limits.known);
    QCOMPARE(server.receivedCount("ACL"), acl);
    const int asked = server.receivedCount("ACL") + server.receivedCount("COMMAND");
    const bool dryRuns = limits.dryRuns;
    launch(runPreflight(reads, plan, limits, this), [&](const std::optional<Error>& refusal) {
        QVERIFY(!refusal);
        ++calls;
    });
    QCOMPARE(calls, 0); // later, whatever is known
    QTRY_COMPARE(calls, 1);
    QCOMPARE(server.receivedCount("ACL") + server.receivedCount("COMMAND"),
             asked + (dryRuns ? 1 : 0));
}

void TestActingConnection::aRealServer()
{
    RedisServer server;
    QVERIFY(server.start());
    Connection reads(server.url());
    QVERIFY(openAndWait(reads));
    const auto support = supportOf(serverVersion(reads.greeting()), Feature::NoTouch);
    QVERIFY(support != Support::Unknown);
    QCOMPARE(reads.leavesKeysUntouched(), support == Support::Yes);
    QCOMPARE(commandCalls(server).contains("client|no-touch"), support == Support::Yes);
    QCOMPARE(reads.greeting().role(), NodeRole::Master);
}

void TestActingConnection::whatReadsNeverWrites()
{
    FaultServer server;
    Connection reads(server.url());
    QVERIFY(openAndWait(reads));
    reads.setWriteMode(true);
    QVERIFY(!reads.isWriteModeOn());
    BatchProbe probe;
    reads.sendActing({Command{"DEL", "k"}}, this, probe.handler());
    QVERIFY(probe.wait());
    QCOMPARE(probe.error(), ErrorCode::SessionReadOnly);
    QCOMPARE(server.receivedCount("DEL"), 0);
}

void TestActingConnection::writeModeHasAConnectionOfItsOwn()
{
    RedisServer server;
    QVERIFY(server.start());
    server.line("RPUSH jobs a b");
    QTemporaryDir folder;
    LiveSession live(server.url(), {}, {},
                     {folder.filePath(u"j/journal.jsonl"_s), folder.filePath(u"undo"_s)});
    QTRY_VERIFY(live.state("jobs"));
    const auto clients = [&] { return server.line("CLIENT LIST").text; };
    QVERIFY(!clients().contains("name=lockkeeper-act"));
    live->acting().enableWriteMode(60'000);
    QTRY_VERIFY(live->acting().isWriteModeOn());
    QVERIFY(clients().contains("name=lockkeeper-act"));
    QSignalSpy planned(&live->acting(), &SessionActing::planned);
    QSignalSpy finished(&live->acting(), &SessionActing::runFinished);
    live->acting().planAction("queue.push", {{live.state("jobs")->primitive}},
                              ActionRequest{{{"payload", "new"}}});
    QTRY_COMPARE(planned.size(), 1);
    live->acting().run(planned[0][0].value<PlanSet>().ticket, {});
    QTRY_COMPARE(finished.size(), 1);
    QCOMPARE(server.line("LLEN jobs").integer, 3);
    for (const QByteArray& line : clients().split('\n')) {
        if (line.contains("cmd=eval"))
            QVERIFY2(line.contains("name=lockkeeper-act"), line.constData());
    }
    live->acting().disableWriteMode();
    QTRY_VERIFY(!live->acting().isWriteModeOn());
    QTRY_VERIFY(!clients().contains("name=lockkeeper-act"));
    live->acting().enableWriteMode(60'000); // and again
    QTRY_VERIFY(live->acting().isWriteModeOn());
}

void TestActingConnection::losingEitherEndsWriteMode_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("the one that reads") << QByteArray(" name=lockkeeper ");
    QTest::newRow("the one that writes") << QByteArray(" name=lockkeeper-act ");
}

void TestActingConnection::losingEitherEndsWriteMode()
{
    QFETCH(QByteArray, name);
    RedisServer server;
    QVERIFY(server.start());
    QTemporaryDir folder;
    LiveSession live(server.url(), {}, {},
                     {folder.filePath(u"j/journal.jsonl"_s), folder.filePath(u"undo"_s)});
    QTRY_VERIFY(live.isReady());
    live->acting().enableWriteMode(60'000);
    QTRY_VERIFY(live->acting().isWriteModeOn());
    int killed = 0;
    for (const QByteArray& line : server.line("CLIENT LIST").text.split('\n')) {
        if (line.contains(name)) {
            const QByteArray id = line.mid(3, line.indexOf(' ') - 3);
            QCOMPARE(server.run({"CLIENT", "KILL", "ID", id}).integer, 1);
            ++killed;
        }
    }
    QCOMPARE(killed, 1);
    QTRY_VERIFY(!live->acting().isWriteModeOn());
    QTRY_VERIFY(live.isReady());
    QVERIFY(live.seconds(1));
    QVERIFY(!live->acting().isWriteModeOn());
    QVERIFY(!server.line("CLIENT LIST").text.contains(" name=lockkeeper-act "));
}

void TestActingConnection::whereItMayNotAct_data()
{
    QTest::addColumn<QByteArray>("info");
    QTest::addColumn<QByteArray>("role");
    QTest::addColumn<ErrorCode>("code");
    const QByteArray slave =
        "*5\r\n$5\r\nslave\r\n$8\r\n10.0.0.1\r\n:6379\r\n$9\r\nconnected\r\n:9\r\n";
    QTest::newRow("another server")
        << bulk("run_id:b\r\nrole:master\r\n") << QByteArray("*0\r\n") << ErrorCode::NotPossible;
    QTest::newRow("a replica") << bulk("run_id:a\r\nrole:slave\r\nmaster_host:10.0.0.1\r\n"
                                       "master_port:6379\r\nslave_read_only:0\r\n")
                               << slave << ErrorCode::Replica;
    QTest::newRow("a replica, by ROLE")
        << QByteArray("-NOPERM no\r\n") << slave << ErrorCode::Replica;
    QTest::newRow("no connection")
        << QByteArray("-LOADING reading\r\n") << slave << ErrorCode::Loading;
}

void TestActingConnection::whereItMayNotAct()
{
    QFETCH(QByteArray, info);
    QFETCH(QByteArray, role);
    QFETCH(ErrorCode, code);
    FaultServer server;
    server.answer("INFO", bulk("run_id:a\r\nrole:master\r\n"));
    Connection control(server.url());
    QVERIFY(openAndWait(control));
    server.answer("INFO", info);
    server.answer("ROLE", role);
    QTemporaryDir folder;
    FirstSeen firstSeen;
    const SystemClock clock;
    ActionExecutor executor(control, firstSeen, clock,
                            {folder.filePath(u"j/journal.jsonl"_s), folder.filePath(u"undo"_s)},
                            nullptr);
    QSignalSpy writeMode(&executor, &ActionExecutor::writeModeUntilChanged);
    QSignalSpy failed(&executor, &ActionExecutor::writeModeFailed);
    executor.enableWriteMode(60'000);
    QTRY_COMPARE(failed.size(), 1);
    QCOMPARE(failed[0][0].value<Error>().code, code);
    if (code == ErrorCode::Replica)
        QCOMPARE(failed[0][0].value<Error>().detail, u"10.0.0.1:6379"_s);
    QCOMPARE(writeMode.size(), 0);
    QVERIFY(!executor.acting().isWriteModeOn());
    // Once it may, it does.
    server.answer("INFO", bulk("run_id:a\r\nrole:master\r\n"));
    server.answer("ROLE", QByteArray("*0\r\n"));
    executor.enableWriteMode(60'000);
    QTRY_COMPARE(writeMode.size(), 1);
    QVERIFY(executor.acting().isWriteModeOn());
}

// Tried again before the refused connection has closed, it does not judge by what that one knew.
void TestActingConnection::triedAgainAtOnce()
{
    FaultServer server;
    server.answer("INFO", bulk("run_id:a\r\nrole:master\r\n"));
    Connection control(server.url());
    QVERIFY(openAndWait(control));
    server.answer("INFO", bulk("run_id:b\r\nrole:master\r\n"));
    QTemporaryDir folder;
    FirstSeen firstSeen;
    const SystemClock clock;
    ActionExecutor executor(control, firstSeen, clock,
                            {folder.filePath(u"j/journal.jsonl"_s), folder.filePath(u"undo"_s)},
                            nullptr);
    QSignalSpy writeMode(&executor, &ActionExecutor::writeModeUntilChanged);
    QSignalSpy failed(&executor, &ActionExecutor::writeModeFailed);
    connect(&executor, &ActionExecutor::writeModeFailed, &executor, [&] {
        server.answer("INFO", bulk("run_id:a\r\nrole:master\r\n"));
        executor.enableWriteMode(60'000);
    });
    executor.enableWriteMode(60'000);
    QTRY_COMPARE(writeMode.size(), 1);
    QCOMPARE(failed.size(), 1);
    QVERIFY(executor.acting().isWriteModeOn());
}

LK_TEST(TestActingConnection);
#include "tst_actingconnection.moc"
