// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/clients/keycopies.h"
#include "tests/clients/librarysnapshot.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

bool isMq(const QString& library)
{
    return library.startsWith("bullmq"_L1);
}

StateNames stateNames(const QString& library)
{
    StateNames names{{u"wait"_s, u"waiting"_s},
                     {u"active"_s, u"active"_s},
                     {u"delayed"_s, u"delayed"_s},
                     {u"failed"_s, u"failed"_s},
                     {u"completed"_s, u"completed"_s}};
    if (isMq(library)) {
        names.emplace_back(u"prioritized"_s, u"prioritized"_s);
        names.emplace_back(u"waiting-children"_s, u"waiting-children"_s);
    }
    if (library != u"bullmq6")
        names.emplace_back(u"paused"_s, u"paused"_s);
    return names;
}

} // namespace

/// Bull and BullMQ themselves make the keys, count them, and go on after what an operator did.
class TestBull : public QObject
{
    Q_OBJECT

private:
    RedisServer m_server;

    /// The library and its queue "email" with jobs in every state; see tests/clients/js.
    QJsonObject start(ClientProcess& client, const QStringList& more = {})
    {
        QFETCH_GLOBAL(const QString, library);
        const QString script = isMq(library) ? u"js/bullmq.js"_s : u"js/bull.js"_s;
        return client.start(script, QStringList{m_prefix, library, u"email"_s} + more);
    }
    QString library() const
    {
        QFETCH_GLOBAL(const QString, library);
        return library;
    }
    bool agrees(const QJsonObject& own)
    {
        const LibrarySnapshot snapshot(m_server);
        return countsAgree(snapshot.queue("email"), own, stateNames(library()));
    }
    Receipt act(const QByteArray& action, const Values& values)
    {
        Actor actor(m_server.url());
        const PrimitivePtr queue = LibrarySnapshot(m_server).primitive("email");
        if (!queue || !actor.open())
            return {};
        const Receipt receipt = actor.act(queue, action, values);
        if (receipt.outcome != Outcome::Succeeded)
            qWarning("%s: %s", action.constData(), qPrintable(receipt.text));
        return receipt;
    }
    /// Waits until the lock of the killed process's job has expired: then no worker has the job.
    void killAndWait(ClientProcess& client)
    {
        client.die();
        const QByteArray lock = m_prefix.toUtf8() + ":email:6:lock";
        QTRY_COMPARE_WITH_TIMEOUT(m_server.run({"EXISTS", lock}).integer, 0, 20'000);
    }

    QString m_prefix = u"bull"_s;

private slots:
    void initTestCase_data()
    {
        QTest::addColumn<QString>("library");
        for (const char* library : {"bullmq4", "bullmq5", "bullmq6", "bull3", "bull4"})
            QTest::newRow(library) << QString::fromLatin1(library);
    }
    void initTestCase()
    {
        LK_NEEDS_CLIENTS("js");
        QVERIFY2(m_server.start(), m_server.output());
    }
    void init()
    {
        m_server.flush();
        m_prefix = u"bull"_s;
    }

    void detectedAndCounted_data();
    void detectedAndCounted();
    void timesAreThoseOfTheLibrary();
    void aFlowLeadsFromParentToChild();
    void pausedQueues();
    void aKilledWorkerIsFoundOut();
    void whatIsRetriedAndPromotedIsTaken();
    void whatIsRequeuedIsTaken();
    void whatIsRemovedIsGone();
    void aPausedQueueGoesOn();
    void whatIsPushedIsTaken();
    void whatIsBuriedHasFailed();
    void oldJobsAreCleaned();
    void leavesTheKeysOfTheLibrary_data();
    void leavesTheKeysOfTheLibrary();
    void otherVersionsAreTold();
};

void TestBull::detectedAndCounted_data()
{
    QTest::addColumn<QString>("prefix");
    QTest::newRow("default") << u"bull"_s;
    QTest::newRow("braces and colons") << u"{acme-7}:jobs:v2"_s;
    QTest::newRow("no word") << u"x"_s;
}

void TestBull::detectedAndCounted()
{
    QFETCH(const QString, prefix);
    m_prefix = prefix;
    ClientProcess client(m_server);
    const QJsonObject own = start(client);
    QVERIFY2(!own.isEmpty(), client.output());
    const LibrarySnapshot snapshot(m_server);
    QCOMPARE(snapshot.taken.names("queues"), QByteArrayList{"email"});
    QCOMPARE(snapshot.others(), QByteArray()); // the lock of its job is no lock
    const QJsonObject queue = snapshot.queue("email");
    QCOMPARE(queue["layout"_L1].toString(), isMq(library()) ? u"bullmq"_s : u"bull"_s);
    QVERIFY(queue["confidence"_L1].toDouble() >= 0.9);
    QVERIFY(countsAgree(queue, own, stateNames(library())));
    QCOMPARE(snapshot.taken.scan()["keys_matched"_L1].toInt(),
             snapshot.taken.scan()["keys_scanned"_L1].toInt());
    QCOMPARE(queue["stuck"_L1].toInt(-1), 0);
    QCOMPARE(queue["paused"_L1].toBool(true), false);
    QVERIFY(queue["oldest_ready_ms"_L1].isDouble());
    const QueueState* state = snapshot.state("email");
    QCOMPARE(state->items.size(), size_t(1));
    const JobFacts& job = state->items[0].facts;
    QCOMPARE(job.id, QByteArray("6"));
    QCOMPARE(job.name, QByteArray("long"));
    QVERIFY(job.startedMs);
    QCOMPARE(job.leaseAlive, std::optional(true));
    QVERIFY(listsAgree(m_server, snapshot, "email"));
    QVERIFY(!snapshot.taken.json.contains("mailbox") && !snapshot.taken.json.contains("\"hang"));
}

void TestBull::timesAreThoseOfTheLibrary()
{
    ClientProcess client(m_server);
    QVERIFY2(!start(client).isEmpty(), client.output());
    const QJsonArray ran = client.ask("times")["ran"_L1].toArray();
    QCOMPARE(ran.size(), 2);
    const LibrarySnapshot snapshot(m_server);
    const QueueState* state = snapshot.state("email");
    QCOMPARE(state->ran,
             (DurationSpread{ran[0].toInteger(), ran[1].toInteger(), ran[1].toInteger(), 2}));
    // With the one in progress; BullMQ 4 counts a try when it begins, so that it may be a second.
    QVERIFY(state->waited);
    QCOMPARE(state->waited->jobs, library() == u"bullmq4"_s ? 2 : 3);
    QCOMPARE(state->rateSource, RateSource::EndTimes); // its workers were not told to count
    QVERIFY(state->completedPerSecond && *state->completedPerSecond > 0);
}

void TestBull::aFlowLeadsFromParentToChild()
{
    if (!isMq(library()))
        QSKIP("Bull has no flows");
    ClientProcess client(m_server);
    QVERIFY2(!start(client).isEmpty(), client.output());
    const QJsonObject flow = client.ask("flow");
    const QByteArray parent = flow["parent"_L1].toString().toUtf8();
    const QByteArray child = flow["child"_L1].toString().toUtf8();
    const PrimitivePtr queue = LibrarySnapshot(m_server).primitive("email");
    QVERIFY(queue && !parent.isEmpty() && !child.isEmpty());
    QCOMPARE(linksOf(detailOf(m_server, queue, {}, parent)),
             QStringList{u"child bull:email %1 pending"_s.arg(QLatin1String(child))});
    QCOMPARE(linksOf(detailOf(m_server, queue, {}, child)),
             QStringList{u"parent bull:email %1"_s.arg(QLatin1String(parent))});
    client.ask("work 10");
    QCOMPARE(linksOf(detailOf(m_server, queue, {}, parent)),
             QStringList{u"child bull:email %1 completed"_s.arg(QLatin1String(child))});
}

void TestBull::pausedQueues()
{
    ClientProcess client(m_server);
    QVERIFY2(!start(client).isEmpty(), client.output());
    const QJsonObject own = client.ask("pause");
    QVERIFY(agrees(own));
    QVERIFY(LibrarySnapshot(m_server).queue("email")["paused"_L1].toBool());
    QVERIFY(agrees(client.ask("resume")));
    QVERIFY(!LibrarySnapshot(m_server).queue("email")["paused"_L1].toBool(true));
}

void TestBull::aKilledWorkerIsFoundOut()
{
    ClientProcess client(m_server);
    QVERIFY2(!start(client).isEmpty(), client.output());
    killAndWait(client);
    const LibrarySnapshot snapshot(m_server);
    QCOMPARE(snapshot.queue("email")["stuck"_L1].toInt(-1), 1);
    QCOMPARE(snapshot.state("email")->items[0].facts.leaseAlive, std::optional(false));
}

void TestBull::whatIsRetriedAndPromotedIsTaken()
{
    ClientProcess client(m_server);
    QVERIFY2(!start(client).isEmpty(), client.output());
    QVERIFY(!client.ask("work 20").isEmpty()); // all that waits
    ClientProcess worker(m_server);
    QVERIFY2(!start(worker, {u"join"_s}).isEmpty(), worker.output());
    worker.ask("listen");
    QCOMPARE(act("queue.retry", {{"error", "mailbox full"}}).count, 2);
    QJsonArray taken = worker.ask("took 2")["ended"_L1].toArray();
    QCOMPARE(taken.size(), 2);
    QCOMPARE(act("queue.promote", {{"all", ""}}).count, 2);
    taken = worker.ask("took 4")["ended"_L1].toArray();
    QCOMPARE(taken.size(), 4);
    QJsonObject own = worker.ask("count");
    QCOMPARE(own["failed"_L1].toInt(-1), 1);
    QCOMPARE(own["delayed"_L1].toInt(-1), 0);
    QVERIFY(agrees(own));
}

void TestBull::whatIsRequeuedIsTaken()
{
    ClientProcess client(m_server);
    QVERIFY2(!start(client).isEmpty(), client.output());
    QVERIFY(!client.ask("work 20").isEmpty());
    {
        // Its worker lives: nothing is planned.
        Actor actor(m_server.url());
        QVERIFY(actor.open());
        const PrimitivePtr queue = LibrarySnapshot(m_server).primitive("email");
        QVERIFY(queue);
        QVERIFY(!actor.plan(queue, "queue.requeue", {{"all", ""}}));
    }
    killAndWait(client);
    ClientProcess worker(m_server);
    QVERIFY2(!start(worker, {u"join"_s}).isEmpty(), worker.output());
    worker.ask("listen");
    QCOMPARE(act("queue.requeue", {{"job", "6"}}).count, 1);
    QCOMPARE(worker.ask("took 1")["ended"_L1].toArray(), (QJsonArray{u"6"_s}));
    QVERIFY(agrees(worker.ask("count")));
}

void TestBull::whatIsRemovedIsGone()
{
    ClientProcess client(m_server);
    QVERIFY2(!start(client).isEmpty(), client.output());
    QCOMPARE(act("queue.discard", {{"state", "failed"}, {"all", ""}}).count, 3);
    QCOMPARE(act("queue.discard", {{"state", "delayed"}, {"all", ""}}).count, 2);
    const QJsonObject own = client.ask("count");
    QCOMPARE(own["failed"_L1].toInt(-1), 0);
    QCOMPARE(own["delayed"_L1].toInt(-1), 0);
    QVERIFY(agrees(own));
    const QByteArray stem = m_prefix.toUtf8() + ":email:";
    for (const char* id : {"3", "4", "5"})
        QCOMPARE(m_server.run({"EXISTS", stem + id}).integer, 0);
}

void TestBull::aPausedQueueGoesOn()
{
    ClientProcess client(m_server);
    QVERIFY2(!start(client).isEmpty(), client.output());
    QCOMPARE(act("queue.pause", {}).outcome, Outcome::Succeeded);
    QVERIFY(agrees(client.ask("count")));
    QVERIFY(client.ask("paused")["paused"_L1].toBool());
    ClientProcess worker(m_server);
    QVERIFY2(!start(worker, {u"join"_s}).isEmpty(), worker.output());
    worker.ask("start");
    QCOMPARE(act("queue.retry", {{"all", ""}}).count, 3); // it stays paused
    QVERIFY(client.ask("paused")["paused"_L1].toBool());
    QVERIFY(agrees(client.ask("count")));
    QCOMPARE(act("queue.resume", {}).outcome, Outcome::Succeeded);
    QVERIFY(!client.ask("paused")["paused"_L1].toBool(true));
    QVERIFY(worker.ask("took 3")["ended"_L1].toArray().size() >= 3);
}

// The operator's own job is the library's, and a worker that waits is woken by it.
void TestBull::whatIsPushedIsTaken()
{
    ClientProcess client(m_server);
    QVERIFY2(!start(client).isEmpty(), client.output());
    QVERIFY(!client.ask("work 20").isEmpty());
    ClientProcess worker(m_server);
    QVERIFY2(!start(worker, {u"join"_s}).isEmpty(), worker.output());
    worker.ask("listen");
    QCOMPARE(act("queue.push", {{"name", "probe"}, {"payload", R"({"to":["é",1]})"}}).count, 1);
    const QJsonArray taken = worker.ask("took 1")["ended"_L1].toArray();
    QCOMPARE(taken.size(), 1);
    const QJsonObject job = client.ask("job " + taken[0].toString().toUtf8());
    QCOMPARE(job["name"_L1].toString(), u"probe"_s);
    QCOMPARE(job["data"_L1].toObject(), (QJsonObject{{u"to"_s, QJsonArray{u"é"_s, 1}}}));
    QTRY_VERIFY(agrees(client.ask("count")));
    QCOMPARE(act("queue.pause", {}).outcome, Outcome::Succeeded);
    QCOMPARE(act("queue.push", {{"name", "probe"}, {"payload", "7"}}).count, 1); // it waits
    const QJsonObject own = client.ask("count");
    QVERIFY(agrees(own));
    QCOMPARE(worker.ask("took 1")["ended"_L1].toArray().size(), 1);
    QCOMPARE(act("queue.resume", {}).outcome, Outcome::Succeeded);
    QCOMPARE(worker.ask("took 2")["ended"_L1].toArray().size(), 2);
}

void TestBull::whatIsBuriedHasFailed()
{
    ClientProcess client(m_server);
    QVERIFY2(!start(client).isEmpty(), client.output());
    ClientProcess other(m_server);
    QVERIFY2(!start(other, {u"join"_s}).isEmpty(), other.output());
    const QJsonObject before = other.ask("count");
    killAndWait(client);
    QCOMPARE(act("queue.dead-letter", {{"job", "6"}}).count, 1);
    const QJsonObject own = other.ask("count");
    QCOMPARE(own["failed"_L1].toInt(), before["failed"_L1].toInt() + 1);
    QCOMPARE(own["active"_L1].toInt(-1), 0);
    QVERIFY(agrees(own));
    QCOMPARE(other.ask("state 6")["state"_L1].toString(), u"failed"_s);
    QCOMPARE(other.ask("job 6")["reason"_L1].toString(),
             u"job stalled more than allowable limit"_s);
    other.ask("listen");
    QCOMPARE(act("queue.retry", {{"job", "6"}}).count, 1); // and can be tried again
    QTRY_COMPARE(other.ask("state 6")["state"_L1].toString(), u"completed"_s);
}

void TestBull::oldJobsAreCleaned()
{
    ClientProcess client(m_server);
    const QJsonObject made = start(client);
    QVERIFY2(!made.isEmpty(), client.output());
    Actor actor(m_server.url());
    QVERIFY(actor.open());
    const PrimitivePtr queue = LibrarySnapshot(m_server).primitive("email");
    QVERIFY(queue);
    QVERIFY(!actor.plan(queue, "queue.discard-old", {{"older-than", "1h"}})); // nothing is that old
    const Result<Plan> some = actor.plan(
        queue, "queue.discard-old", {{"older-than", "1ms"}, {"most", "2"}, {"state", "failed"}});
    QVERIFY2(some, some ? "" : qPrintable(errorText(some.error())));
    QVERIFY2(some->consequence.contains(u"1 more"_s), qPrintable(some->consequence));
    QCOMPARE(actor.run(*some).count, 2);
    QCOMPARE(act("queue.discard-old", {{"older-than", "1ms"}}).count, 2); // of the completed
    const QJsonObject own = client.ask("count");
    QCOMPARE(own["failed"_L1].toInt(-1), 1);
    QCOMPARE(own["completed"_L1].toInt(-1), 0);
    QCOMPARE(own["delayed"_L1].toInt(-1), made["delayed"_L1].toInt());
    QVERIFY(agrees(own));
}

void TestBull::leavesTheKeysOfTheLibrary_data()
{
    QTest::addColumn<QByteArray>("made");
    QTest::addColumn<QByteArray>("state");
    QTest::addColumn<QByteArray>("action");
    const QByteArray job =
        "HSET bull:email:1 name x data {} opts {} timestamp 5 delay 0 priority 0 | ";
    const QByteArray failed = job +
                              "HSET bull:email:1 finishedOn 9 processedOn 8 failedReason boom | "
                              "ZADD bull:email:failed 9 1";
    const QByteArray child = failed + " | HSET bull:email:1 parentKey bull:report:p1 | HSET "
                                      "bull:report:p1 name x data {} opts {} timestamp 5 | "
                                      "ZADD bull:report:waiting-children 5 p1";
    const QByteArray awaited = child + " | SADD bull:report:p1:dependencies bull:email:1";
    const QByteArray once = " | HSET bull:email:1 deid d | SET bull:email:de:d 1 | "
                            "HSET bull:email:dn:d name y";
    const QByteArray paused = " | HSET bull:email:meta paused 1";
    const auto row = [](const char* action, const char* state, const char* name,
                        const QByteArray& made) {
        QTest::addRow("%s of %s: %s", action, state, name)
            << made << QByteArray(state) << QByteArray(action);
    };
    for (const char* action : {"queue.discard", "queue.retry"}) {
        row(action, "failed", "plain", failed + " | RPUSH bull:email:1:logs a");
        row(action, "failed", "with its key against doubles", failed + once);
        row(action, "failed", "with a priority", failed + " | HSET bull:email:1 priority 3");
        row(action, "failed", "tried more than once",
            failed + " | HSET bull:email:1 attemptsMade 2 atm 2 ats 2 stc 1 | "
                     "HSET bull:email:1 stacktrace [\"a\"]");
        row(action, "failed", "kept for a while", failed + " | PEXPIRE bull:email:1 600000");
        row(action, "failed", "the last child", awaited);
        row(action, "failed", "the last child of a paused queue",
            awaited + " | HSET bull:report:meta paused 1");
        row(action, "failed", "the last child of a full queue",
            awaited + " | HSET bull:report:meta concurrency 1 | RPUSH bull:report:active 7");
        row(action, "failed", "one of two children",
            awaited + " | SADD bull:report:p1:dependencies bull:email:2");
        row(action, "failed", "an ignored child",
            child + " | HSET bull:report:p1:failed bull:email:1 boom");
        row(action, "failed", "an unsuccessful child",
            child + " | ZADD bull:report:p1:unsuccessful 5 bull:email:1");
        row(action, "failed", "a child whose parent went on",
            child + " | HSET bull:report:p1:failed bull:email:1 boom | DEL "
                    "bull:report:waiting-children | RPUSH bull:report:wait p1");
        row(action, "failed", "an orphan", child + " | DEL bull:report:p1");
    }
    const QByteArray delayed = job + "HSET bull:email:1 delay 9000000 | "
                                     "ZADD bull:email:delayed 7224000000000000 1";
    for (const char* action : {"queue.discard", "queue.promote"}) {
        row(action, "delayed", "plain", delayed);
        row(action, "delayed", "with its key against doubles", delayed + once);
        row(action, "delayed", "with a priority", delayed + " | HSET bull:email:1 priority 3");
        row(action, "delayed", "of a paused queue", delayed + paused);
    }
    row("queue.discard", "wait", "plain", job + "RPUSH bull:email:wait 1");
    row("queue.discard", "wait", "with its key against doubles",
        job + "RPUSH bull:email:wait 1" + once);
    row("queue.discard", "completed", "plain",
        job + "HSET bull:email:1 finishedOn 9 returnvalue 5 | ZADD bull:email:completed 9 1");
    row("queue.discard", "prioritized", "plain",
        job + "HSET bull:email:1 priority 3 | ZADD bull:email:prioritized 3 1");
}

// By the library on one copy of the keys, by an operator on another.
void TestBull::leavesTheKeysOfTheLibrary()
{
    QFETCH(const QByteArray, made);
    QFETCH(const QByteArray, state);
    QFETCH(const QByteArray, action);
    const bool unknown =
        (library() == u"bullmq4" || library() == u"bull3") && made.contains("deid");
    if (unknown || (!isMq(library()) && (made.contains("report") || state == "prioritized")))
        QSKIP("This version knows nothing of it");
    const auto make = [&] {
        m_server.flush();
        const QByteArray major = library().right(1).toLatin1();
        if (isMq(library()))
            m_server.run({"HSET", "bull:email:meta", "version", "bullmq:" + major + ".1.0",
                          "opts.maxLenEvents", "10000"});
        else
            m_server.lines({"SET bull:email:id 7", "RPUSH bull:email:wait 7",
                            "HSET bull:email:7 name x data {} opts {} timestamp 5"});
        for (const QByteArray& line : made.split('|'))
            m_server.line(line.trimmed());
    };
    ClientProcess client(m_server);
    QVERIFY2(!start(client, {u"join"_s}).isEmpty(), client.output());
    make();
    const QByteArray own = action == "queue.discard" ? "remove 1" : action.mid(6) + " 1";
    QVERIFY(!client.ask(own).contains("error"_L1));
    const KeyContents expected = contentsOf(m_server);
    make();
    std::map<QByteArray, QByteArray> values{{"job", "1"}};
    if (action == "queue.discard") // the others take jobs of one state alone
        values["state"] = state;
    QCOMPARE(act(action, values).count, 1);
    const QStringList differences = differencesOf(contentsOf(m_server), expected);
    QVERIFY2(differences.isEmpty(), qPrintable(differences.join(u'\n')));
}

// An action was tried with these versions: of another minor one the plan says so, and another major
// one is refused.
void TestBull::otherVersionsAreTold()
{
    if (!isMq(library()))
        return; // Bull stores none
    ClientProcess client(m_server);
    QVERIFY2(!start(client).isEmpty(), client.output());
    Actor actor(m_server.url());
    QVERIFY(actor.open());
    const PrimitivePtr queue = LibrarySnapshot(m_server).primitive("email");
    QVERIFY(queue);
    const Result<Plan> tried = actor.plan(queue, "queue.pause", {});
    QVERIFY(tried && !tried->consequence.contains(u"BullMQ"_s));
    m_server.run({"HSET", "bull:email:meta", "version", "bullmq:6.99.1"});
    const Result<Plan> other = actor.plan(queue, "queue.pause", {});
    QVERIFY(other && other->consequence.contains(u"BullMQ 6.99.1"_s));
    m_server.run({"HSET", "bull:email:meta", "version", "bullmq:7.0.0"});
    QVERIFY(!actor.plan(queue, "queue.pause", {}));
}

LK_TEST(TestBull);
#include "tst_bull.moc"
