// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/planning/scriptless.h"
#include "backend/session/sessionacting.h"
#include "backend/text/errortext.h"
#include "tests/server/acting.h"
#include "tests/server/livesession.h"
#include "tests/support/testprogram.h"

#include <QDir>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

// Valkey 8.1 and Redis 8.4 need no script to release a lock.
bool releasesByItself(const Connection& connection)
{
    return removeIfEqual(serverVersion(connection.greeting()), "k", "v").has_value();
}

} // namespace

/// Refused actions and their messages: nothing is written, the journal agrees, and nothing is
/// guessed.
class TestActionRefusals : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init() { m_server.flush(); }

    void conflicts_data();
    void conflicts();
    void otherOwnerThanNamed();
    void partlyGone();
    void plansTellNoPayload_data();
    void plansTellNoPayload();
    void readOnly();
    void disarmedBeforeItRuns();
    void withoutAJournal();
    void withoutDump();
    void noPermission_data();
    void noPermission();
    void replica_data();
    void replica();
    void noScripts_data();
    void noScripts();
    void limitsAreKnownBefore_data();
    void limitsAreKnownBefore();
    void wrongRequests_data();
    void wrongRequests();

private:
    RedisServer m_server;
};

void TestActionRefusals::conflicts_data()
{
    QTest::addColumn<QByteArray>("layout");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("action");
    QTest::addColumn<Values>("values");
    QTest::addColumn<QByteArray>("meanwhile");
    const auto row = [](const char* what, const char* layout, const char* name, const char* before,
                        const char* action, const Values& values, const char* meanwhile) {
        QTest::newRow(what) << QByteArray(layout) << QByteArray(name) << QByteArray(before)
                            << QByteArray(action) << values << QByteArray(meanwhile);
    };
    row("owner", "set-nx-px", "lock:a", "SET lock:a w1 PX 60000", "lock.release", {{"owner", "w1"}},
        "SET lock:a w2-SECRET PX 60000");
    row("owner, lease", "set-nx-px", "lock:a", "SET lock:a w1 PX 60000", "lock.ttl",
        {{"ttl", "1h"}}, "SET lock:a w2-SECRET PX 60000");
    row("renewed", "setnx-timestamp", "lock:t", "SET lock:t 1500000000", "lock.clear", {},
        "SET lock:t 4000000000");
    row("index", "reliable-list", "jobs", "RPUSH jobs:processing a", "queue.requeue",
        {{"index", "1"}}, "LSET jobs:processing 0 other-SECRET");
    row("item, drop", "reliable-list", "jobs", "RPUSH jobs:processing a", "queue.discard",
        {{"all", ""}}, "LSET jobs:processing 0 other-SECRET");
    row("who is due", "reliable-list", "jobs", "RPUSH jobs b a", "queue.rotate", {},
        "RPUSH jobs other-SECRET");
    row("content", "reliable-list", "jobs", "RPUSH jobs b a", "key.delete", {}, "LSET jobs 0 c");
    row("type", "set-nx-px", "lock:a", "SET lock:a w1", "key.delete", {},
        "EVAL \"redis.call('DEL',KEYS[1]) return redis.call('SADD',KEYS[1],1)\" 1 lock:a");
    row("expiry", "string-token", "code:1", "SET code:1 p PX 60000", "token.extend",
        {{"ttl", "1h"}}, "PEXPIRE code:1 90000");
    row("payload", "string-token", "code:1", "SET code:1 p PX 60000", "token.revoke", {},
        "SET code:1 other-SECRET PX 60000");
    row("gone", "set-nx-px", "lock:a", "SET lock:a w1 PX 60000", "lock.release", {{"owner", "w1"}},
        "DEL lock:a");
    row("gone, item", "reliable-list", "jobs", "RPUSH jobs:processing a", "queue.requeue",
        {{"index", "1"}}, "DEL jobs:processing");
    row("gone, token", "string-token", "code:1", "SET code:1 p PX 60000", "token.revoke", {},
        "DEL code:1");
    row("not a ghost", "hash-token", "code:1", "HSET code:1 used_by 1", "token.cleanup", {},
        "HSET code:1 user 7-SECRET");
}

void TestActionRefusals::conflicts()
{
    QFETCH(QByteArray, layout);
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, action);
    QFETCH(Values, values);
    QFETCH(QByteArray, meanwhile);
    QVERIFY(!m_server.line(before).isError());
    Actor actor(m_server.url());
    QVERIFY(actor.open());
    const Result<Plan> plan = actor.plan(declaredPrimitive(layout, name), action, values);
    QVERIFY2(plan, plan ? "" : qPrintable(errorText(plan.error())));
    QVERIFY(!m_server.line(meanwhile).isError());
    const Everything changed = everything(m_server);
    const Receipt receipt = actor.run(*plan);
    QVERIFY2(receipt.outcome == Outcome::Conflict, qPrintable(receipt.text));
    QCOMPARE(receipt.count, 0);
    QVERIFY(!receipt.undoable);
    QVERIFY(receipt.revealed.isEmpty());
    QVERIFY(everything(m_server) == changed);
    QCOMPARE(actor.entry(receipt.id)->outcome, Outcome::Conflict);
    QVERIFY(!actor.journalBytes().contains("SECRET"));
    QVERIFY(!actor.undoPlan(receipt.id));
}

// A plan that cannot succeed does not look as if it could.
void TestActionRefusals::otherOwnerThanNamed()
{
    m_server.line("SET lock:a w2 PX 60000");
    Actor actor(m_server.url());
    QVERIFY(actor.open());
    const PrimitivePtr lock = declaredPrimitive("set-nx-px", "lock:a");
    for (const char* action : {"lock.release", "lock.ttl"}) {
        for (const char* owner : {"w1", ""}) {
            Values values{{"owner", owner}};
            if (QByteArray(action) == "lock.ttl")
                values["ttl"] = "1h";
            const auto wrong = actor.plan(lock, action, values);
            QVERIFY(!wrong);
            QCOMPARE(wrong.error().code, ErrorCode::NotPossible);
            QVERIFY2(wrong.error().detail.contains(u"held by w2, not by"_s),
                     qPrintable(wrong.error().detail));
        }
    }
    QVERIFY(actor.journal().empty());
    QCOMPARE(m_server.line("GET lock:a").text, "w2");
    const auto none = actor.plan(lock, "lock.release");
    QVERIFY(!none);
    QCOMPARE(none.error().code, ErrorCode::BadArgument);
}

// The jobs that still exist are moved, and the receipt reports which ones.
void TestActionRefusals::partlyGone()
{
    m_server.lines({"RPUSH jobs:processing c b a", "RPUSH jobs r"});
    Actor actor(m_server.url());
    QVERIFY(actor.open());
    const Result<Plan> plan =
        actor.plan(declaredPrimitive("reliable-list", "jobs"), "queue.requeue", {{"all", ""}});
    QVERIFY(plan);
    m_server.lines({"LREM jobs:processing 1 b", "LPUSH jobs:processing new"});
    const Receipt receipt = actor.run(*plan);
    QCOMPARE(receipt.outcome, Outcome::Succeeded);
    QCOMPARE(receipt.count, 2);
    QCOMPARE(receipt.items, (std::vector<bool>{true, false, true}));
    QVERIFY(receipt.text.contains(u"2 of 3"_s));
    QCOMPARE(m_server.line("LRANGE jobs:processing 0 -1").items[0].text, "new");
    QCOMPARE(m_server.line("LLEN jobs").integer, 3);
    // Only what was moved is taken back.
    QCOMPARE(actor.undo(receipt.id).count, 2);
    QCOMPARE(m_server.line("LLEN jobs:processing").integer, 3);
    QCOMPARE(m_server.line("LLEN jobs").integer, 1);
}

void TestActionRefusals::plansTellNoPayload_data()
{
    QTest::addColumn<QByteArray>("action");
    QTest::addColumn<Values>("values");
    QTest::newRow("requeue") << QByteArray("queue.requeue") << Values{{"all", ""}};
    QTest::newRow("dead-letter") << QByteArray("queue.dead-letter") << Values{{"all", ""}};
    QTest::newRow("discard") << QByteArray("queue.discard") << Values{{"all", ""}};
    QTest::newRow("discard what waits")
        << QByteArray("queue.discard") << Values{{"state", "ready"}, {"index", "1"}};
    QTest::newRow("promote") << QByteArray("queue.promote") << Values{{"all", ""}};
    QTest::newRow("retry") << QByteArray("queue.retry") << Values{{"all", ""}};
    QTest::newRow("push") << QByteArray("queue.push") << Values{{"payload", "SECRET-1"}};
}

// A plan shows the size and digest of a job, as its list does.
void TestActionRefusals::plansTellNoPayload()
{
    QFETCH(QByteArray, action);
    QFETCH(Values, values);
    m_server.lines({"RPUSH jobs:processing SECRET-1 SECRET-2", "RPUSH jobs SECRET-3",
                    "RPUSH jobs:dead SECRET-4", "ZADD jobs:delayed 1795223350020 SECRET-5"});
    Actor actor(m_server.url());
    QVERIFY(actor.open());
    auto queue = std::make_shared<Primitive>(*declaredPrimitive("reliable-list", "jobs"));
    for (const auto& [role, key] : {std::pair("dead", "jobs:dead"), {"delayed", "jobs:delayed"}}) {
        std::erase_if(queue->keys, [&](const KeyRole& k) { return k.role == role; });
        queue->keys.push_back({role, key});
    }
    const Result<Plan> plan = actor.plan(queue, action, values);
    QVERIFY2(plan, plan ? "" : qPrintable(errorText(plan.error())));
    const QString told = QStringList{plan->question, plan->consequence, plan->expected, plan->guard,
                                     plan->commands.join(u' ')}
                             .join(u' ');
    QVERIFY2(!told.contains(u"SECRET"_s), qPrintable(told));
    QVERIFY2(told.contains(u"8 byte"_s), qPrintable(told));
}

void TestActionRefusals::readOnly()
{
    m_server.line("SET lock:a w1 PX 60000");
    const Everything before = everything(m_server);
    Actor actor(m_server.url());
    QVERIFY(openAndWait(actor.connection)); // never in write mode
    const PrimitivePtr lock = declaredPrimitive("set-nx-px", "lock:a");
    const Result<Plan> plan = actor.plan(lock, "lock.release", {{"owner", "w1"}});
    QVERIFY(plan); // looking is allowed
    const qint64 sent = actor.connection.traffic().commands;
    const Receipt receipt = actor.run(*plan);
    QCOMPARE(receipt.outcome, Outcome::Refused);
    QCOMPARE(receipt.text, errorText({ErrorCode::SessionReadOnly, {}}));
    QCOMPARE(actor.connection.traffic().commands, sent);
    QVERIFY(everything(m_server) == before);
    QVERIFY(actor.journal().empty());
}

// The script is not known yet: between EVALSHA's NOSCRIPT and EVAL write mode ends.
void TestActionRefusals::disarmedBeforeItRuns()
{
    m_server.lines({"SCRIPT FLUSH", "SET lock:a w1 PX 60000"});
    Actor actor(m_server.url());
    QVERIFY(actor.open());
    const Result<Plan> plan =
        actor.plan(declaredPrimitive("set-nx-px", "lock:a"), "lock.release", {{"owner", "w1"}});
    QVERIFY(plan);
    QTimer::singleShot(0, &actor.connection, [&] { actor.connection.setWriteMode(false); });
    const Receipt receipt = actor.run(*plan);
    QCOMPARE(receipt.outcome, Outcome::Refused);
    QCOMPARE(m_server.line("GET lock:a").text, "w1");
    QCOMPARE(actor.entry(receipt.id)->outcome, Outcome::Refused);
}

void TestActionRefusals::withoutAJournal()
{
    m_server.line("SET lock:a w1 PX 60000");
    Actor actor(m_server.url());
    QVERIFY(actor.open());
    const Result<Plan> plan =
        actor.plan(declaredPrimitive("set-nx-px", "lock:a"), "lock.release", {{"owner", "w1"}});
    QVERIFY(plan);
    // A folder in the journal's place: the system administrator's too cannot write to it.
    QVERIFY(QDir().mkpath(actor.journalFile()));
    m_server.line("CONFIG RESETSTAT");
    const Receipt receipt = actor.run(*plan);
    QCOMPARE(receipt.outcome, Outcome::Refused);
    QVERIFY2(receipt.text.contains(u"journal"_s), qPrintable(receipt.text));
    const auto calls = commandCalls(m_server);
    QVERIFY(!calls.contains("evalsha") && !calls.contains("eval"));
    QCOMPARE(m_server.line("GET lock:a").text, "w1");
}

// Undo data cannot be kept: the action is refused before it starts, and the outcome is not
// "unknown".
void TestActionRefusals::withoutDump()
{
    m_server.lines({"SET lock:a w1 PX 60000", "ACL SETUSER few reset on >few ~* &* +@all -dump"});
    ServerUrl url = m_server.url();
    url.user = u"few"_s;
    url.password = u"few"_s;
    Actor actor(url);
    QVERIFY(actor.open());
    const Receipt released =
        actor.act(declaredPrimitive("set-nx-px", "lock:a"), "lock.release", {{"owner", "w1"}});
    QCOMPARE(released.outcome, Outcome::Refused);
    QVERIFY2(released.text.contains(u"DUMP"_s), qPrintable(released.text));
    QCOMPARE(m_server.line("GET lock:a").text, "w1");
    // A key that is made: nothing of it is there before.
    const Receipt pushed =
        actor.act(declaredPrimitive("reliable-list", "jobs"), "queue.push", {{"payload", "x"}});
    QCOMPARE(pushed.outcome, Outcome::Refused);
    QCOMPARE(m_server.line("EXISTS jobs").integer, 0);
    // In the journal it is who the server says, not who the machine says.
    QCOMPARE(actor.entry(pushed.id)->aclUser, u"few"_s);
    m_server.line("ACL DELUSER few");
}

void TestActionRefusals::noPermission_data()
{
    QTest::addColumn<QByteArray>("rules");
    QTest::addColumn<bool>("planned");
    QTest::addColumn<int>("outcome");
    QTest::newRow("no scripts, told at planning") << QByteArray("-@scripting") << false << 0;
    QTest::newRow("no scripts, may not ask")
        << QByteArray("-@scripting -acl") << true << int(Outcome::Refused);
    QTest::newRow("only these keys") << QByteArray("resetkeys %R~lock:*") << false << 0;
    // The script asks before its first write.
    QTest::newRow("no DEL") << QByteArray("-del") << true << int(Outcome::Refused);
}

void TestActionRefusals::noPermission()
{
    QFETCH(QByteArray, rules);
    QFETCH(bool, planned);
    QFETCH(int, outcome);
    m_server.line("SET lock:a w1 PX 60000");
    const Everything before = everything(m_server);
    const Reply made = m_server.line("ACL SETUSER op reset on >pw +@all ~* &* " + rules);
    QVERIFY2(!made.isError(), made.text.constData());
    ServerUrl url = m_server.url();
    url.user = u"op"_s;
    url.password = u"pw"_s;
    Actor actor(url);
    QVERIFY(actor.open());
    const Result<Plan> plan =
        actor.plan(declaredPrimitive("set-nx-px", "lock:a"), "lock.release", {{"owner", "w1"}});
    if (rules == "-@scripting" && releasesByItself(actor.connection)) {
        QVERIFY(plan);
        QCOMPARE(actor.run(*plan).outcome, Outcome::Succeeded);
        return;
    }
    QCOMPARE(plan.has_value(), planned);
    if (!plan) {
        QCOMPARE(plan.error().code, ErrorCode::NoPerm);
        return;
    }
    const Receipt receipt = actor.run(*plan);
    QCOMPARE(int(receipt.outcome), outcome);
    if (rules.contains("-@scripting"))
        QVERIFY2(receipt.text.contains(u"+eval +evalsha"_s), qPrintable(receipt.text));
    QVERIFY(everything(m_server) == before);
    QCOMPARE(int(actor.entry(receipt.id)->outcome), outcome);
}

void TestActionRefusals::replica_data()
{
    QTest::addColumn<QString>("readOnly");
    QTest::newRow("read-only") << u"yes"_s;
    QTest::newRow("writable") << u"no"_s; // the lock would stay on the master
}

void TestActionRefusals::replica()
{
    QFETCH(QString, readOnly);
    m_server.line("SET lock:a w1 PX 600000");
    RedisServer master({u"--repl-diskless-sync-delay"_s, u"0"_s});
    master.addTcp();
    QVERIFY(master.start());
    master.line("SET lock:a w1 PX 600000");
    RedisServer server({u"--replicaof"_s, u"127.0.0.1"_s, QString::number(master.port()),
                        u"--replica-read-only"_s, readOnly});
    QVERIFY(server.start());
    QTRY_COMPARE(server.line("GET lock:a").text, "w1");
    const PrimitivePtr lock = declaredPrimitive("set-nx-px", "lock:a");
    Actor actor(server.url());
    QVERIFY(actor.open());
    const auto plan = actor.plan(lock, "lock.release", {{"owner", "w1"}});
    QVERIFY(!plan);
    QCOMPARE(plan.error().code, ErrorCode::Replica);
    QVERIFY(plan.error().detail.endsWith(u":%1"_s.arg(master.port())));
    // Planned while it was a master.
    Actor other(m_server.url());
    QVERIFY(other.open());
    const auto earlier = other.plan(lock, "lock.release", {{"owner", "w1"}});
    QVERIFY(earlier);
    const Receipt receipt = actor.run(*earlier);
    QVERIFY2(receipt.outcome == Outcome::Refused, qPrintable(receipt.text));
    QCOMPARE(server.line("GET lock:a").text, "w1");
}

void TestActionRefusals::noScripts_data()
{
    QTest::addColumn<QStringList>("without");
    QTest::newRow("EVALSHA") << QStringList{u"EVALSHA"_s};
    QTest::newRow("EVAL") << QStringList{u"EVAL"_s};
    QTest::newRow("both") << QStringList{u"EVAL"_s, u"EVALSHA"_s};
    // The server cannot be asked either: it is tried, and refused without a trace.
    QTest::newRow("both and COMMAND") << QStringList{u"EVAL"_s, u"EVALSHA"_s, u"COMMAND"_s};
}

void TestActionRefusals::noScripts()
{
    QFETCH(QStringList, without);
    QStringList arguments;
    for (const QString& name : without)
        arguments << u"--rename-command"_s << name << QString();
    RedisServer server(arguments);
    QVERIFY2(server.start(), server.output());
    server.line("SET lock:a w1 PX 60000");
    Actor actor(server.url());
    QVERIFY(actor.open());
    const auto plan =
        actor.plan(declaredPrimitive("set-nx-px", "lock:a"), "lock.release", {{"owner", "w1"}});
    if (!without.contains(u"COMMAND"_s) && releasesByItself(actor.connection)) {
        QVERIFY(plan);
        QCOMPARE(actor.run(*plan).outcome, Outcome::Succeeded);
        QTRY_VERIFY(server.line("GET lock:a").isNil());
        return;
    }
    QCOMPARE(plan.has_value(), without.contains(u"COMMAND"_s));
    if (plan)
        QCOMPARE(actor.run(*plan).outcome, Outcome::Refused);
    else
        QCOMPARE(plan.error().code, ErrorCode::NotPossible);
    QCOMPARE(server.line("GET lock:a").text, "w1");
}

void TestActionRefusals::limitsAreKnownBefore_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("rules");
    QTest::addColumn<int>("code"); // -1: nothing stands in the way
    QTest::newRow("all is allowed") << QStringList() << QByteArray("+@all") << -1;
    QTest::newRow("no permission")
        << QStringList() << QByteArray("+@all -@scripting") << int(ErrorCode::NoPerm);
    QTest::newRow("may not ask") << QStringList() << QByteArray("+@all -@scripting -acl") << -1;
    QTest::newRow("no EVAL") << QStringList{u"--rename-command"_s, u"EVAL"_s, QString()}
                             << QByteArray("+@all") << int(ErrorCode::NotPossible);
    QTest::newRow("replica") << QStringList{u"--replicaof"_s, u"127.0.0.1"_s, u"1"_s}
                             << QByteArray("+@all") << int(ErrorCode::Replica);
}

// The refusal is known without a plan, and so is its end.
void TestActionRefusals::limitsAreKnownBefore()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, rules);
    QFETCH(int, code);
    RedisServer server(arguments);
    QVERIFY2(server.start(), server.output());
    server.line("ACL SETUSER op reset on >pw ~* &* " + rules);
    ServerUrl url = server.url();
    url.user = u"op"_s;
    url.password = u"pw"_s;
    QTemporaryDir folder;
    LiveSession live(url, {}, {},
                     {folder.filePath(u"j/journal.jsonl"_s), folder.filePath(u"undo"_s)});
    QTRY_VERIFY(live->acting().limits().known);
    const auto refusal = live->acting().limits().refusal();
    QCOMPARE(refusal ? int(refusal->code) : -1, code);
    if (code == int(ErrorCode::NoPerm)) {
        server.line("ACL SETUSER op +@scripting");
        QTRY_VERIFY_WITH_TIMEOUT(!live->acting().limits().refusal(), 20'000);
    } else if (code == int(ErrorCode::Replica)) {
        server.line("REPLICAOF NO ONE");
        QTRY_VERIFY_WITH_TIMEOUT(!live->acting().limits().refusal(), 20'000);
    }
}

void TestActionRefusals::wrongRequests_data()
{
    QTest::addColumn<QByteArray>("action");
    QTest::addColumn<Values>("values");
    const auto row = [](const char* what, const char* action, const Values& values) {
        QTest::newRow(what) << QByteArray(action) << values;
    };
    row("nothing chosen", "queue.requeue", {});
    row("chosen twice", "queue.requeue", {{"index", "1"}, {"all", ""}});
    row("index 0", "queue.requeue", {{"index", "0"}});
    row("index -1", "queue.requeue", {{"index", "-1"}});
    row("no number", "queue.requeue", {{"index", "one"}});
    row("no end", "queue.requeue", {{"all", ""}, {"to", "front"}});
    row("no payload", "queue.push", {});
    row("no duration", "key.ttl", {{"ttl", "soon"}});
    row("both", "key.ttl", {{"ttl", "1m"}, {"none", ""}});
    row("neither", "key.ttl", {});
    row("unknown", "queue.push", {{"payload", "x"}, {"force", ""}});
}

void TestActionRefusals::wrongRequests()
{
    QFETCH(QByteArray, action);
    QFETCH(Values, values);
    m_server.line("RPUSH jobs:processing a");
    m_server.line("RPUSH jobs b");
    Actor actor(m_server.url());
    QVERIFY(actor.open());
    const auto plan = actor.plan(declaredPrimitive("reliable-list", "jobs"), action, values);
    QVERIFY(!plan);
    QCOMPARE(plan.error().code, ErrorCode::BadArgument);
    QVERIFY(!plan.error().detail.isEmpty());
}

LK_TEST(TestActionRefusals);
#include "tst_actionrefusals.moc"
