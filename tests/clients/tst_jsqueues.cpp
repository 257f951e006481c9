// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/clients/librarysnapshot.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

const StateNames beeNames{{u"waiting"_s, u"waiting"_s},
                          {u"active"_s, u"active"_s},
                          {u"delayed"_s, u"delayed"_s},
                          {u"failed"_s, u"failed"_s},
                          {u"succeeded"_s, u"succeeded"_s}};
const StateNames kueNames{{u"inactive"_s, u"inactive"_s},
                          {u"active"_s, u"active"_s},
                          {u"delayed"_s, u"delayed"_s},
                          {u"failed"_s, u"failed"_s},
                          {u"complete"_s, u"complete"_s}};
const StateNames groupMqNames{{u"active"_s, u"active"_s},
                              {u"delayed"_s, u"delayed"_s},
                              {u"failed"_s, u"failed"_s},
                              {u"completed"_s, u"completed"_s}};
const StateNames resqueNames{{u"waiting"_s, u"ready"_s},
                             {u"working"_s, u"working"_s},
                             {u"delayed"_s, u"delayed"_s},
                             {u"failed"_s, u"failed"_s}};

} // namespace

/// Job queues of Node.js: the libraries make the keys, count them, and go on after what an operator
/// did.
class TestJsQueues : public QObject
{
    Q_OBJECT

private:
    RedisServer m_server;

    /// The snapshot contains only that queue, and every key is part of it.
    void verifyAlone(const LibrarySnapshot& taken, const QByteArray& name, const QString& layout)
    {
        QCOMPARE(taken.taken.names("queues"), QByteArrayList{name});
        QCOMPARE(taken.others(), QByteArray());
        const QJsonObject queue = taken.queue(name);
        QCOMPARE(queue["layout"_L1].toString(), layout);
        QVERIFY(queue["confidence"_L1].toDouble() >= 0.9);
    }
    Receipt act(const QByteArray& queue, const QByteArray& action, const Values& values)
    {
        Actor actor(m_server.url());
        const PrimitivePtr primitive = LibrarySnapshot(m_server).primitive(queue);
        if (!primitive || !actor.open())
            return {};
        const Receipt receipt = actor.act(primitive, action, values);
        if (receipt.outcome != Outcome::Succeeded)
            qInfo("%s: %s", action.constData(), qPrintable(receipt.text));
        return receipt;
    }
    /// The last sign of life of node-resque's worker is ten minutes old.
    void silenceWorker(const QByteArray& prefix)
    {
        const QByteArray second = QByteArray::number(serverNowMs(m_server) / 1000 - 600);
        m_server.run({"SET", prefix + ":worker:ping:host-1:4242",
                      R"({"time":)" + second + R"(,"name":"host-1:4242","queues":"email"})"});
    }
    qint64 exists(const QByteArray& key) { return m_server.run({"EXISTS", key}).integer; }

private slots:
    void initTestCase()
    {
        LK_NEEDS_CLIENTS("js");
        QVERIFY2(m_server.start(), m_server.output());
    }
    void init() { m_server.flush(); }

    void beeQueue_data() { prefixes("bq"); }
    void beeQueue();
    void aStalledBee();
    void beesGoOn();
    void rsmq_data() { prefixes("rsmq"); }
    void rsmq();
    void rsmqGoesOn();
    void kue_data() { prefixes("q"); }
    void kue();
    void kueGoesOn();
    void groupMq();
    void resque_data() { prefixes("resque"); }
    void resque();
    void resqueGoesOn();

private:
    static void prefixes(const char* usual)
    {
        QTest::addColumn<QString>("prefix");
        QTest::newRow("default") << QString::fromLatin1(usual);
        QTest::newRow("braces and colons") << u"{acme-7}:jobs:v2"_s;
    }
};

void TestJsQueues::beeQueue()
{
    QFETCH(const QString, prefix);
    ClientProcess client(m_server);
    const QJsonObject own = client.start(u"js/beequeue.js"_s, {prefix, u"email"_s});
    QVERIFY2(!own.isEmpty(), client.output());
    const LibrarySnapshot taken(m_server);
    verifyAlone(taken, "email", u"bee-queue"_s);
    const QJsonObject queue = taken.queue("email");
    QVERIFY(countsAgree(queue, own, beeNames));
    QCOMPARE(taken.taken.scan()["keys_matched"_L1].toInt(),
             taken.taken.scan()["keys_scanned"_L1].toInt());
    QCOMPARE(queue["stuck"_L1].toInt(-1), 0);
    QVERIFY(queue["oldest_ready_ms"_L1].isDouble());
    const QueueState* state = taken.state("email");
    QCOMPARE(state->items.size(), size_t(1));
    QCOMPARE(state->items[0].facts.id, QByteArray("6"));
    QVERIFY(state->items[0].facts.enqueuedMs);
    QVERIFY(listsAgree(m_server, taken, "email"));
    const PrimitivePtr primitive = taken.primitive("email");
    for (const StoredJob& job : listedJobs(m_server, primitive, {"delayed", 0, 9}))
        QVERIFY(job.facts.dueMs && *job.facts.dueMs > serverNowMs(m_server) + 3'000'000);
    const JobDetail detail = detailOf(m_server, primitive, "failed", "4");
    QCOMPARE(detail.facts.error, QByteArray("Error: no such file"));
    QCOMPARE(detail.facts.attempts, std::optional<qint64>(2));
    QCOMPARE(detail.payload, QByteArray(R"({"fail":"no such file"})"));
    QVERIFY(detail.stack.contains("beequeue.js"));
    QCOMPARE(detailOf(m_server, primitive, {}, "4").facts.error, detail.facts.error); // by its id
    QVERIFY(!taken.taken.json.contains("mailbox") && !taken.taken.json.contains("\"hang"));
}

// The library's own check: what was in progress when it last looked has not been taken out of
// "stalling" when it may check again.
void TestJsQueues::aStalledBee()
{
    ClientProcess client(m_server);
    QVERIFY2(!client.start(u"js/beequeue.js"_s, {u"bq"_s, u"email"_s}).isEmpty(), client.output());
    QVERIFY(!client.ask("work 2").isEmpty());
    client.die();
    QTRY_COMPARE_WITH_TIMEOUT(exists("bq:email:stallBlock"), 0, 10'000);
    m_server.run({"DEL", "bq:email:stalling"}); // as if none had been in progress at its check
    QCOMPARE(LibrarySnapshot(m_server).queue("email")["stuck"_L1].toInt(-1),
             0); // no worker has checked since
    ClientProcess checker(m_server);
    QVERIFY2(!checker.start(u"js/beequeue.js"_s, {u"bq"_s, u"email"_s, u"join"_s}).isEmpty(),
             checker.output());
    QCOMPARE(checker.ask("check")["stalled"_L1].toInt(-1), 0); // it marks them
    QTRY_COMPARE_WITH_TIMEOUT(exists("bq:email:stallBlock"), 0, 10'000);
    const LibrarySnapshot taken(m_server);
    const QJsonObject own = checker.ask("count");
    QCOMPARE(taken.queue("email")["stuck"_L1].toInt(-1), own["active"_L1].toInt());
    QCOMPARE(act("email", "queue.requeue", {{"all", ""}}).count, own["active"_L1].toInt());
    const QJsonObject after = checker.ask("count");
    QCOMPARE(after["active"_L1].toInt(-1), 0);
    QVERIFY(countsAgree(LibrarySnapshot(m_server).queue("email"), after, beeNames));
    QCOMPARE(checker.ask("work 1")["ended"_L1].toArray(), (QJsonArray{u"6"_s}));
}

void TestJsQueues::beesGoOn()
{
    ClientProcess client(m_server);
    QVERIFY2(!client.start(u"js/beequeue.js"_s, {u"bq"_s, u"email"_s}).isEmpty(), client.output());
    QVERIFY(!client.ask("work 2").isEmpty());
    ClientProcess worker(m_server);
    QVERIFY2(!worker.start(u"js/beequeue.js"_s, {u"bq"_s, u"email"_s, u"join"_s}).isEmpty(),
             worker.output());
    worker.ask("listen");
    QCOMPARE(act("email", "queue.retry", {{"error", "Error: mailbox full"}}).count, 2);
    QCOMPARE(worker.ask("took 2")["ended"_L1].toArray().size(), 2);
    QCOMPARE(act("email", "queue.promote", {{"all", ""}}).count, 2);
    QCOMPARE(worker.ask("took 4")["ended"_L1].toArray().size(), 4);
    QCOMPARE(act("email", "queue.discard", {{"state", "failed"}, {"all", ""}}).count, 1);
    const QJsonObject own = worker.ask("count");
    QCOMPARE(own["failed"_L1].toInt(-1), 0);
    QCOMPARE(own["delayed"_L1].toInt(-1), 0);
    QVERIFY(countsAgree(LibrarySnapshot(m_server).queue("email"), own, beeNames));
    QVERIFY(client.ask("jobs failed")["jobs"_L1].toArray().isEmpty());
}

// Messages in flight and delayed ones are counted apart. The library counts both together, and also
// those that were sent this second.
void TestJsQueues::rsmq()
{
    QFETCH(const QString, prefix);
    ClientProcess client(m_server);
    const QJsonObject own = client.start(u"js/rsmq.js"_s, {prefix, u"email"_s});
    QVERIFY2(!own.isEmpty(), client.output());
    const LibrarySnapshot taken(m_server);
    verifyAlone(taken, "email", u"rsmq"_s);
    const QJsonObject queue = taken.queue("email");
    QCOMPARE(LibrarySnapshot::count(queue, u"visible"_s), 2);
    QCOMPARE(LibrarySnapshot::count(queue, u"in-flight"_s), 1);
    QCOMPARE(LibrarySnapshot::count(queue, u"delayed"_s), 1);
    QCOMPARE(queue["ready"_L1].toInt() + queue["processing"_L1].toInt() +
                 queue["delayed"_L1].toInt(),
             own["msgs"_L1].toInt());
    const QueueState* state = taken.state("email");
    QCOMPARE(state->items.size(), size_t(1));
    QCOMPARE(state->items[0].facts.id, own["hidden"_L1].toString().toLatin1());
    QCOMPARE(state->items[0].facts.attempts, std::optional<qint64>(4));
    QVERIFY(listsAgree(m_server, taken, "email"));
    const JobDetail detail =
        detailOf(m_server, taken.primitive("email"), "in-flight", state->items[0].facts.id);
    QCOMPARE(detail.payload, QByteArray("poison"));
    QVERIFY(detail.facts.enqueuedMs &&
            qAbs(*detail.facts.enqueuedMs - serverNowMs(m_server)) < 60'000);
    QVERIFY(!taken.taken.json.contains("poison"));
}

void TestJsQueues::rsmqGoesOn()
{
    ClientProcess client(m_server);
    QVERIFY2(!client.start(u"js/rsmq.js"_s, {u"rsmq"_s, u"email"_s}).isEmpty(), client.output());
    QCOMPARE(client.ask("work 9")["ended"_L1].toArray().size(), 2);
    QCOMPARE(act("email", "queue.promote", {{"all", ""}}).count, 1);
    QCOMPARE(client.ask("work 9")["ended"_L1].toArray().size(), 1); // it receives that one now
    const QJsonObject queue = LibrarySnapshot(m_server).queue("email");
    QCOMPARE(queue["processing"_L1].toInt(-1), client.ask("count")["msgs"_L1].toInt());
    QCOMPARE(act("email", "queue.promote", {{"state", "in-flight"}, {"all", ""}}).count, 1);
    QCOMPARE(client.ask("work 9")["ended"_L1].toArray().size(), 1); // long before its hour is over
    QCOMPARE(client.ask("count")["msgs"_L1].toInt(-1), 0);
}

void TestJsQueues::kue()
{
    QFETCH(const QString, prefix);
    ClientProcess client(m_server);
    const QJsonObject own = client.start(u"js/kue.js"_s, {prefix, u"email"_s});
    QVERIFY2(!own.isEmpty(), client.output());
    // As while a process promotes jobs: kue's own lock has no prefix, and is no lock of anybody's.
    m_server.run({"SET", "promotion:lock", "EwMkQMc8EfC1vwJCrBIAAg==", "PX", "600000"});
    const LibrarySnapshot taken(m_server);
    QCOMPARE(taken.taken.names("queues"), (QByteArrayList{"email", "image"}));
    QCOMPARE(taken.others(), QByteArray());
    const QJsonObject queue = taken.queue("email");
    QCOMPARE(queue["layout"_L1].toString(), u"kue"_s);
    QVERIFY(countsAgree(queue, own, kueNames));
    QCOMPARE(taken.queue("image")["ready"_L1].toInt(), 1);
    QCOMPARE(taken.taken.scan()["keys_matched"_L1].toInt(),
             taken.taken.scan()["keys_scanned"_L1].toInt());
    QCOMPARE(queue["stuck"_L1].toInt(-1), 0);
    const QueueState* state = taken.state("email");
    QCOMPARE(state->items.size(), size_t(1));
    QCOMPARE(state->items[0].facts.name, QByteArray("email"));
    QVERIFY(!state->workers.empty() && !state->workers[0].process.isEmpty());
    QVERIFY(listsAgree(m_server, taken, "email"));
    const JobDetail detail = detailOf(m_server, taken.primitive("email"), "failed", "4");
    QCOMPARE(detail.facts.error, QByteArray("Error: no such file"));
    QCOMPARE(detail.facts.attempts, std::optional<qint64>(2));
    QCOMPARE(detail.payload, QByteArray(R"({"fail":"no such file"})"));
}

void TestJsQueues::kueGoesOn()
{
    ClientProcess client(m_server);
    QVERIFY2(!client.start(u"js/kue.js"_s, {u"q"_s, u"email"_s}).isEmpty(), client.output());
    client.die();
    QCOMPARE(LibrarySnapshot(m_server).queue("email")["stuck"_L1].toInt(-1), 0);
    // Its time to live ends.
    m_server.run(
        {"ZADD", "q:jobs:active", QByteArray::number(serverNowMs(m_server) - 5000), "01|6"});
    QCOMPARE(LibrarySnapshot(m_server).queue("email")["stuck"_L1].toInt(-1), 1);
    QCOMPARE(act("email", "queue.requeue", {{"all", ""}}).count, 1);
    QCOMPARE(act("email", "queue.retry", {{"error", "Error: mailbox full"}}).count, 2);
    QCOMPARE(act("email", "queue.promote", {{"all", ""}}).count, 2);
    QCOMPARE(act("email", "queue.discard", {{"state", "complete"}, {"all", ""}}).count, 2);
    ClientProcess worker(m_server);
    const QJsonObject before = worker.start(u"js/kue.js"_s, {u"q"_s, u"email"_s, u"join"_s});
    QVERIFY2(!before.isEmpty(), worker.output());
    QCOMPARE(before["inactive"_L1].toInt(), 2 + 1 + 2 + 2);
    QCOMPARE(before["active"_L1].toInt(-1), 0);
    QCOMPARE(before["delayed"_L1].toInt(-1), 0);
    QCOMPARE(before["failed"_L1].toInt(-1), 1);
    QCOMPARE(before["complete"_L1].toInt(-1), 0);
    QVERIFY(countsAgree(LibrarySnapshot(m_server).queue("email"), before, kueNames));
    QCOMPARE(worker.ask("work 7")["ended"_L1].toArray().size(), 7);
}

void TestJsQueues::groupMq()
{
    ClientProcess client(m_server);
    const QJsonObject own = client.start(u"js/groupmq.js"_s, {u"mail"_s});
    QVERIFY2(!own.isEmpty(), client.output());
    const LibrarySnapshot taken(m_server);
    verifyAlone(taken, "mail", u"groupmq"_s);
    const QJsonObject queue = taken.queue("mail");
    QVERIFY(countsAgree(queue, own, groupMqNames));
    // The library counts a delayed job as a waiting one, too.
    QCOMPARE(queue["ready"_L1].toInt(), own["waiting"_L1].toInt() - own["delayed"_L1].toInt());
    QCOMPARE(taken.taken.scan()["keys_matched"_L1].toInt(),
             taken.taken.scan()["keys_scanned"_L1].toInt());
    QVERIFY(!queue["paused"_L1].toBool(true));
    const QueueState* state = taken.state("mail");
    QCOMPARE(state->items.size(), size_t(1));
    QCOMPARE(state->items[0].facts.name, QByteArray("carol"));
    QCOMPARE(state->items[0].facts.leaseAlive, std::optional(true));
    QVERIFY(listsAgree(m_server, taken, "mail"));
    const std::vector<StoredJob> failed =
        listedJobs(m_server, taken.primitive("mail"), {"failed", 0, 1});
    QCOMPARE(failed.size(), size_t(1));
    const JobDetail detail =
        detailOf(m_server, taken.primitive("mail"), "failed", failed[0].facts.id);
    QVERIFY(detail.payload.startsWith(R"({"fail":)") && detail.stack.contains("groupmq.js"));
    QCOMPARE(act("mail", "queue.pause", {}).outcome, Outcome::Succeeded);
    QVERIFY(client.ask("paused")["paused"_L1].toBool());
    QVERIFY(LibrarySnapshot(m_server).queue("mail")["paused"_L1].toBool());
    QCOMPARE(act("mail", "queue.resume", {}).outcome, Outcome::Succeeded);
    QVERIFY(!client.ask("paused")["paused"_L1].toBool(true));
    client.die();
    QCOMPARE(LibrarySnapshot(m_server).queue("mail")["stuck"_L1].toInt(-1), 0);
    const QByteArray busy = state->items[0].facts.id;
    const QByteArray past = QByteArray::number(serverNowMs(m_server) - 5000);
    m_server.run({"ZADD", "groupmq:mail:processing", past, busy});
    m_server.run({"HSET", "groupmq:mail:processing:" + busy, "deadlineAt", past});
    QCOMPARE(LibrarySnapshot(m_server).queue("mail")["stuck"_L1].toInt(-1), 1);
    QCOMPARE(act("mail", "queue.requeue", {{"all", ""}}).count, 1);
    QCOMPARE(act("mail", "queue.promote", {{"all", ""}}).count, 1);
    QCOMPARE(act("mail", "queue.retry", {{"error", "mailbox full"}}).count, 1);
    QCOMPARE(act("mail", "queue.discard", {{"state", "failed"}, {"all", ""}}).count, 1);
    ClientProcess next(m_server);
    const QJsonObject after = next.start(u"js/groupmq.js"_s, {u"mail"_s, u"join"_s});
    QVERIFY2(!after.isEmpty(), next.output());
    QCOMPARE(after["active"_L1].toInt(-1), 0);
    QCOMPARE(after["delayed"_L1].toInt(-1), 0);
    QCOMPARE(after["failed"_L1].toInt(-1), 0);
    QCOMPARE(after["waiting"_L1].toInt(-1), 6);
    QVERIFY(countsAgree(LibrarySnapshot(m_server).queue("mail"), after, groupMqNames));
    QCOMPARE(next.ask("work 6")["ended"_L1].toArray().size(), 6); // the one that was requeued, too
}

void TestJsQueues::resque()
{
    QFETCH(const QString, prefix);
    ClientProcess client(m_server);
    const QJsonObject own = client.start(u"js/resque.js"_s, {prefix, u"email"_s});
    QVERIFY2(!own.isEmpty(), client.output());
    const LibrarySnapshot taken(m_server);
    QCOMPARE(taken.taken.names("queues"), QByteArrayList{"email"});
    QCOMPARE(taken.others(), QByteArray());
    const QJsonObject queue = taken.queue("email");
    QCOMPARE(queue["layout"_L1].toString(), u"resque"_s);
    QVERIFY(countsAgree(queue, own, resqueNames));
    const QueueState* state = taken.state("email");
    QVERIFY(state->workersKnown);
    QCOMPARE(qint64(state->workers.size()), own["workers"_L1].toInteger());
    QCOMPARE(state->workers[0].host, QByteArray("host-1"));
    QCOMPARE(state->workers[0].process, QByteArray("4242"));
    QCOMPARE(state->workers[0].alive, std::optional(true));
    QCOMPARE(state->items.size(), size_t(1));
    QCOMPARE(state->items[0].facts.name, QByteArray("long"));
    QVERIFY(state->items[0].facts.startedMs &&
            qAbs(*state->items[0].facts.startedMs - serverNowMs(m_server)) < 60'000);
    QCOMPARE(queue["stuck"_L1].toInt(-1), 0);
    QVERIFY(listsAgree(m_server, taken, "email"));
    const std::vector<StoredJob> failed =
        listedJobs(m_server, taken.primitive("email"), {"failed", 0, 9});
    QCOMPARE(failed[0].facts.error, QByteArray("Error: no such file"));
    QCOMPARE(failed[0].facts.name, QByteArray("broken"));
    client.die();
    silenceWorker(prefix.toUtf8());
    QCOMPARE(LibrarySnapshot(m_server).queue("email")["stuck"_L1].toInt(-1), 1);
    ClientProcess next(m_server);
    QVERIFY2(!next.start(u"js/resque.js"_s, {prefix, u"email"_s, u"join"_s}).isEmpty(),
             next.output());
    QCOMPARE(next.ask("stalled")["stalled"_L1].toArray(), (QJsonArray{u"host-1:4242"_s}));
    QVERIFY(countsAgree(LibrarySnapshot(m_server).queue("email"), next.ask("count"),
                        {{u"working"_s, u"working"_s}, {u"failed"_s, u"failed"_s}}));
}

void TestJsQueues::resqueGoesOn()
{
    ClientProcess client(m_server);
    QVERIFY2(!client.start(u"js/resque.js"_s, {u"resque"_s, u"email"_s}).isEmpty(),
             client.output());
    QCOMPARE(act("email", "queue.requeue", {{"all", ""}}).count, 0); // its worker is alive
    client.die();
    silenceWorker("resque");
    QCOMPARE(act("email", "queue.requeue", {{"all", ""}}).count, 1);
    QCOMPARE(act("email", "queue.retry", {{"error", "Error: mailbox full"}}).count, 2);
    QCOMPARE(act("email", "queue.promote", {{"all", ""}}).count, 2);
    QCOMPARE(act("email", "queue.discard", {{"state", "failed"}, {"all", ""}}).count, 1);
    ClientProcess worker(m_server);
    const QJsonObject own = worker.start(u"js/resque.js"_s, {u"resque"_s, u"email"_s, u"join"_s});
    QVERIFY2(!own.isEmpty(), worker.output());
    QCOMPARE(own["ready"_L1].toInt(-1), 2 + 1 + 2 + 2);
    for (const char* none : {"working", "failed", "delayed", "workers"})
        QCOMPARE(own[QLatin1String(none)].toInt(-1), 0);
    QVERIFY(countsAgree(LibrarySnapshot(m_server).queue("email"), own, resqueNames));
    const QJsonArray ended = worker.ask("work 7")["ended"_L1].toArray();
    QCOMPARE(ended.size(), 7);
    QVERIFY(ended.contains(u"long"_s));
}

LK_TEST(TestJsQueues);
#include "tst_jsqueues.moc"
