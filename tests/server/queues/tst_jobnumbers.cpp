// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/api/primitiveread.h"
#include "tests/server/jobdetails.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/testprogram.h"

#include <QDateTime>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

struct Reading
{
    State state;
    int jobReads = 0; ///< commands that ask for the hash of one job
};

// One read of a queue in detail, after an earlier one.
Reading readQueue(RedisServer& server, const PrimitivePtr& queue, const StatePtr& before = nullptr)
{
    Reading reading;
    ReadRequest request;
    request.primitive = queue;
    request.previous = before;
    request.depth = Depth::Detail;
    const qint64 nowMs = serverNowMs(server);
    PrimitiveRead read(request, nowMs);
    for (;;) {
        for (const Command& command : read.commands())
            reading.jobReads +=
                command.args()[0] == "HMGET" && !command.args()[1].endsWith(":meta");
        const std::vector<Reply> replies = server.runAll(read.commands());
        if (std::optional<ReadOutcome> outcome = read.take(replies, serverNowMs(server))) {
            reading.state = std::move(outcome->state);
            return reading;
        }
    }
}

PrimitivePtr queueNamed(const TakenSnapshot& taken, const QByteArray& name)
{
    for (const StatePtr& state : taken.snapshot->states) {
        if (state->kind() == Kind::Queue && state->primitive->name() == name)
            return state->primitive;
    }
    return nullptr;
}

} // namespace

/// The libraries' own counts, the waiting and running times of their jobs, and the jobs that belong
/// together. The keys are made by hand as the libraries write them.
class TestJobNumbers : public QObject
{
    Q_OBJECT

private:
    RedisServer m_server;

    qint64 m_nowMs = 0;

    QByteArray ms(qint64 ago) const { return QByteArray::number(m_nowMs - ago); }
    QByteArray iso(qint64 ago) const
    {
        return QDateTime::fromMSecsSinceEpoch(m_nowMs - ago)
            .toUTC()
            .toString(Qt::ISODateWithMs)
            .toLatin1();
    }
    void bullQueue(const QByteArray& name)
    {
        m_server.run({"HSET", "bull:" + name + ":meta", "version", "bullmq:5.34.0",
                      "opts.maxLenEvents", "10000"});
        m_server.run({"XADD", "bull:" + name + ":events", "*", "event", "added"});
    }
    // Enqueued so long ago, waited and ran that long.
    void bullJob(const QByteArray& id, qint64 ago, qint64 waited, qint64 ran,
                 const QByteArray& options = "{}", const QByteArray& attempts = "1")
    {
        m_server.run({"HSET", "bull:email:" + id, "name", "send", "opts", options, "timestamp",
                      ms(ago), "processedOn", ms(ago - waited), "finishedOn",
                      ms(ago - waited - ran), "atm", attempts});
        m_server.run({"ZADD", "bull:email:completed", ms(ago - waited - ran), id});
    }

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init()
    {
        m_server.flush();
        m_nowMs = serverNowMs(m_server);
    }

    void bullJobsAreReadOnce();
    void bullCountsWhereItsWorkersAreToldTo();
    void bullFlows();
    void rqByItsRegistriesAndWorkers();
    void rqDependencies();
    void sidekiqCountsForAllQueues();
    void sidekiqBatches();
    void celeryGroupsAndResults();
    void hangfireTellsBoth();
    void asynqTellsSinceWhenItIsPaused();
    void entriesOfAStreamWait();
};

void TestJobNumbers::bullJobsAreReadOnce()
{
    bullQueue("email");
    bullJob("1", 20'000, 100, 1000);
    bullJob("2", 15'000, 300, 3000);
    bullJob("3", 12'000, 5200, 2000, R"({"delay":5000})");     // it was due 5 s later
    bullJob("4", 11'000, 9000, 500, R"({"attempts":3})", "2"); // it waited for another try
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    const QJsonObject queue = taken.named("queues", "email");
    QCOMPARE(queue["waited_ms"_L1].toObject(),
             (QJsonObject{{u"p50"_s, 200}, {u"p95"_s, 300}, {u"p99"_s, 300}, {u"jobs"_s, 3}}));
    QCOMPARE(queue["ran_ms"_L1].toObject(),
             (QJsonObject{{u"p50"_s, 1000}, {u"p95"_s, 3000}, {u"p99"_s, 3000}, {u"jobs"_s, 4}}));
    QVERIFY(queue["completed_total"_L1].isNull() && queue["totals_of"_L1].isNull());
    const PrimitivePtr primitive = queueNamed(taken, "email");
    const Reading first = readQueue(m_server, primitive);
    QCOMPARE(first.jobReads, 4);
    QCOMPARE(first.state.as<QueueState>()->rateSource, RateSource::EndTimes);
    QVERIFY(std::abs(*first.state.as<QueueState>()->completedPerSecond - 4.0 / 60) < 0.001);
    bullJob("5", 2000, 10, 20);
    const Reading second =
        readQueue(m_server, primitive, std::make_shared<const State>(first.state));
    QCOMPARE(second.jobReads, 1);
    QCOMPARE(second.state.as<QueueState>()->ran->jobs, 5);
    // Only the last hundred of 150 count.
    for (int i = 0; i < 145; ++i)
        bullJob("x" + QByteArray::number(i), 1500, 1, 1);
    const Reading third =
        readQueue(m_server, primitive, std::make_shared<const State>(second.state));
    QCOMPARE(third.jobReads, 100);
    QCOMPARE(third.state.as<QueueState>()->ran, (DurationSpread{1, 1, 1, 100}));
}

void TestJobNumbers::bullCountsWhereItsWorkersAreToldTo()
{
    bullQueue("email");
    bullJob("1", 20'000, 100, 1000);
    m_server.run({"HSET", "bull:email:metrics:completed", "count", "4711"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    const QJsonObject queue = taken.named("queues", "email");
    QCOMPARE(queue["completed_total"_L1].toInt(), 4711);
    QCOMPARE(queue["failed_total"_L1].toInt(-1), 0); // none has failed yet
    QCOMPARE(queue["totals_of"_L1].toString(), u"queue"_s);
}

void TestJobNumbers::bullFlows()
{
    bullQueue("email");
    bullQueue("images");
    m_server.run({"HSET", "bull:email:p", "name", "album", "timestamp", ms(1000)});
    m_server.run({"ZADD", "bull:email:waiting-children", ms(1000), "p"});
    m_server.run({"SADD", "bull:email:p:dependencies", "bull:images:7", "bull:images:9"});
    m_server.run({"HSET", "bull:email:p:processed", "bull:images:8", "{\"bytes\":1}"});
    m_server.run({"HSET", "bull:email:p:failed", "bull:images:5", "no such file"});
    m_server.run({"ZADD", "bull:email:p:unsuccessful", ms(10), "bull:images:6"});
    m_server.run({"HSET", "bull:images:7", "name", "scale", "timestamp", ms(900), "parentKey",
                  "bull:email:p"});
    m_server.run({"LPUSH", "bull:images:wait", "7"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    const JobDetail parent = detailOf(m_server, queueNamed(taken, "email"), {}, "p");
    QCOMPARE(linksOf(parent),
             (QStringList{u"child bull:images 7 pending"_s, u"child bull:images 9 pending"_s,
                          u"child bull:images 6 failed"_s, u"child bull:images 5 failed, ignored"_s,
                          u"child bull:images 8 completed"_s}));
    QCOMPARE(parent.linksLeftOut, 0);
    const JobDetail child = detailOf(m_server, queueNamed(taken, "images"), {}, "7");
    QCOMPARE(linksOf(child), QStringList{u"parent bull:email p"_s});
    // Many children: some are named, and how many are not is said.
    for (int i = 0; i < 1200; ++i)
        m_server.run(
            {"HSET", "bull:email:p:processed", "bull:images:n" + QByteArray::number(i), "1"});
    const JobDetail large = detailOf(m_server, queueNamed(taken, "email"), {}, "p");
    QCOMPARE(large.links.size(), size_t(4));
    QCOMPARE(large.linksLeftOut, 1201);
}

void TestJobNumbers::rqByItsRegistriesAndWorkers()
{
    const QByteArray id = "7b1f6ff2-2f2e-4d3c-9d58-0f6f2f6a8f1";
    m_server.run({"SADD", "rq:queues", "rq:queue:default"});
    m_server.run({"SADD", "rq:workers:default", "rq:worker:w1"});
    m_server.run({"HSET", "rq:worker:w1", "hostname", "web-1", "pid", "12", "last_heartbeat",
                  iso(1000), "state", "idle", "successful_job_count", "40", "failed_job_count",
                  "2"});
    TakenSnapshot taken = takeSnapshot(m_server.url());
    QCOMPARE(taken.named("queues", "default")["completed_total"_L1].toInt(), 40);
    QCOMPARE(taken.named("queues", "default")["failed_total"_L1].toInt(), 2);
    QCOMPARE(taken.named("queues", "default")["totals_of"_L1].toString(), u"workers"_s);
    for (int i = 0; i < 3; ++i) {
        const QByteArray job = id + QByteArray::number(i);
        m_server.run({"HSET", "rq:job:" + job, "origin", "default", "status", "finished",
                      "created_at", iso(90'000), "enqueued_at", iso(10'000), "started_at",
                      iso(9000 - i * 1000), "ended_at", iso(5000), "description", "send()"});
        m_server.run(
            {"ZADD", "rq:finished:default", QByteArray::number(m_nowMs / 1000 + 500), job});
    }
    taken = takeSnapshot(m_server.url());
    const QJsonObject queue = taken.named("queues", "default");
    QCOMPARE(queue["waited_ms"_L1].toObject(),
             (QJsonObject{{u"p50"_s, 2000}, {u"p95"_s, 3000}, {u"p99"_s, 3000}, {u"jobs"_s, 3}}));
    QCOMPARE(queue["ran_ms"_L1].toObject(),
             (QJsonObject{{u"p50"_s, 3000}, {u"p95"_s, 4000}, {u"p99"_s, 4000}, {u"jobs"_s, 3}}));
    // Those of this queue alone are better than what its workers have done.
    QVERIFY(queue["totals_of"_L1].isNull());
}

void TestJobNumbers::rqDependencies()
{
    const QByteArray before = "7b1f6ff2-2f2e-4d3c-9d58-0f6f2f6a8f10";
    const QByteArray after = "7b1f6ff2-2f2e-4d3c-9d58-0f6f2f6a8f11";
    const QByteArray gone = "7b1f6ff2-2f2e-4d3c-9d58-0f6f2f6a8f12";
    m_server.run({"SADD", "rq:queues", "rq:queue:default", "rq:queue:low"});
    m_server.run({"RPUSH", "rq:queue:default", before});
    m_server.run({"ZADD", "rq:deferred:low", "1900000000", after});
    m_server.run({"HSET", "rq:job:" + before, "origin", "default", "status", "queued", "created_at",
                  iso(1000), "description", "first()"});
    m_server.run({"HSET", "rq:job:" + after, "origin", "low", "status", "deferred", "created_at",
                  iso(900), "description", "second()", "dependency_ids",
                  "[\"" + before + "\", \"" + gone + "\"]"});
    m_server.run({"SADD", "rq:job:" + before + ":dependents", after});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    const PrimitivePtr queue = queueNamed(taken, "default");
    QCOMPARE(findLayout(queue->id.layout)->jobKey(*queue, {}, before), "rq:job:" + before);
    QCOMPARE(linksOf(detailOf(m_server, queue, {}, before)),
             QStringList{u"needed-by rq:queue:low %1 deferred"_s.arg(QLatin1String(after))});
    QCOMPARE(linksOf(detailOf(m_server, queueNamed(taken, "low"), {}, after)),
             (QStringList{u"waits-for rq:queue:default %1 queued"_s.arg(QLatin1String(before)),
                          u"waits-for  %1"_s.arg(QLatin1String(gone))}));
}

void TestJobNumbers::sidekiqCountsForAllQueues()
{
    const QByteArray process = "web-1:4242:0123456789ab";
    const QByteArray jid = "aaaaaaaaaaaaaaaaaaaaaaaa";
    m_server.run({"SADD", "queues", "default", "low"});
    m_server.run({"SADD", "processes", process});
    m_server.run({"HSET", process, "info",
                  R"({"hostname":"web-1","pid":4242,"queues":["default"]})", "busy", "1", "beat",
                  "1", "quiet", "false"});
    m_server.run({"PEXPIRE", process, "58000"});
    QByteArray payload = R"({"class":"MailJob","args":[],"queue":"default","jid":")" + jid +
                         R"(","enqueued_at":)" + ms(9000) + '}';
    payload.replace('"', "\\\"");
    m_server.run(
        {"HSET", process + ":work", "t1",
         R"({"queue":"default","payload":")" + payload + R"(","run_at":)" + ms(7000) + '}'});
    m_server.lines({"SET stat:processed 500", "SET stat:failed 20"});
    m_server.run(
        {"LPUSH", "queue:default",
         R"({"class":"MailJob","args":[],"queue":"default","jid":"bbbbbbbbbbbbbbbbbbbbbbbb"})"});
    const QJsonObject queue = takeSnapshot(m_server.url()).named("queues", "default");
    QCOMPARE(queue["completed_total"_L1].toInt(), 480);
    QCOMPARE(queue["failed_total"_L1].toInt(), 20);
    QCOMPARE(queue["totals_of"_L1].toString(), u"all-queues"_s);
    QCOMPARE(queue["waited_ms"_L1]["p50"_L1].toInt(), 2000);
    QVERIFY(queue["ran_ms"_L1].isNull());
    m_server.line("SREM queues low");
    QCOMPARE(takeSnapshot(m_server.url()).named("queues", "default")["totals_of"_L1].toString(),
             u"queue"_s);
}

void TestJobNumbers::sidekiqBatches()
{
    const Layout* layout = findLayout("sidekiq");
    Primitive queue;
    queue.id = {"sidekiq", "queue:default"};
    JobDetail detail;
    detail.payload = R"({"class":"MailJob","jid":"aaaaaaaaaaaaaaaaaaaaaaaa","bid":"Xk3ZbR0qeT"})";
    layout->completeDetail(queue, detail);
    QCOMPARE(linksOf(detail), QStringList{u"group queue:default Xk3ZbR0qeT"_s});
    detail.links.clear();
    detail.payload = R"({"class":"MailJob","jid":"aaaaaaaaaaaaaaaaaaaaaaaa"})";
    layout->completeDetail(queue, detail);
    QVERIFY(detail.links.empty());
}

void TestJobNumbers::celeryGroupsAndResults()
{
    const Layout* layout = findLayout("celery");
    const auto queue = std::make_shared<Primitive>();
    queue->id = {"celery", "mails"};
    queue->label = QByteArray("mails");
    const QByteArray after =
        R"([[], {}, {"chain": [{"options": {"task_id": "last"}}, {"options": {"task_id": "next"}}],)"
        R"( "chord": {"options": {"task_id": "sum"}}}])";
    JobDetail detail;
    detail.facts.id = "me";
    detail.payload = R"({"body":")" + after.toBase64() +
                     R"(","headers":{"id":"me","parent_id":"boss","root_id":"root","group":"g1"}})";
    layout->completeDetail(*queue, detail);
    QCOMPARE(linksOf(detail),
             (QStringList{u"parent mails boss"_s, u"needed-by mails next next in its chain"_s,
                          u"needed-by mails sum end of its chord"_s, u"group mails g1 group"_s}));
    QCOMPARE(detailOf(m_server, queue, {}, "boss").problem->code, ErrorCode::NotFound);
    m_server.run({"SET", "celery-task-meta-boss",
                  R"({"status":"SUCCESS","result":{"sent":2},"traceback":null,"task_id":"boss",)"
                  R"("date_done":"2026-11-22T06:06:44+00:00","parent_id":"root",)"
                  R"("children":[[["me",null],null],[["you",null],null]]})"});
    const JobDetail boss = detailOf(m_server, queue, {}, "boss");
    QVERIFY(!boss.problem);
    QCOMPARE(linksOf(boss),
             (QStringList{u"parent mails root"_s, u"child mails me"_s, u"child mails you"_s}));
    QCOMPARE(boss.facts.finishedMs, std::optional<qint64>(1795327604000));
    QVERIFY(boss.result.contains("sent"));
}

void TestJobNumbers::hangfireTellsBoth()
{
    const QByteArray id = "0b7c2f1e-8a54-4a63-9b1e-0d5a54a7c00";
    m_server.lines({"SADD {hangfire}:queues default", "SADD {hangfire}:servers web-1:12:a",
                    "SET {hangfire}:stats:succeeded 900", "SET {hangfire}:stats:failed 7"});
    m_server.run({"RPUSH", "{hangfire}:queue:default", id + "9"});
    for (int i = 0; i < 2; ++i) {
        const QByteArray key = "{hangfire}:job:" + id + QByteArray::number(i);
        m_server.run({"HSET", key, "Type", "Shop.Mail, Shop", "Method", "Send", "CreatedAt",
                      iso(9000), "State", "Succeeded"});
        m_server.run({"HSET", key + ":state", "State", "Succeeded", "SucceededAt", iso(1000),
                      "Latency", QByteArray::number(100 + i), "PerformanceDuration",
                      QByteArray::number(2000 + i)});
        m_server.run({"LPUSH", "{hangfire}:succeeded", id + QByteArray::number(i)});
    }
    const QJsonObject queue = takeSnapshot(m_server.url()).named("queues", "default");
    QCOMPARE(queue["completed_total"_L1].toInt(), 900);
    QCOMPARE(queue["failed_total"_L1].toInt(), 7);
    QCOMPARE(queue["waited_ms"_L1].toObject(),
             (QJsonObject{{u"p50"_s, 100}, {u"p95"_s, 101}, {u"p99"_s, 101}, {u"jobs"_s, 2}}));
    QCOMPARE(queue["ran_ms"_L1].toObject(),
             (QJsonObject{{u"p50"_s, 2000}, {u"p95"_s, 2001}, {u"p99"_s, 2001}, {u"jobs"_s, 2}}));
    // With two queues it is unknown whose the succeeded jobs are.
    m_server.line("SADD {hangfire}:queues low");
    const QJsonObject shared = takeSnapshot(m_server.url()).named("queues", "default");
    QVERIFY(shared["ran_ms"_L1].isNull());
    QCOMPARE(shared["totals_of"_L1].toString(), u"all-queues"_s);
}

void TestJobNumbers::asynqTellsSinceWhenItIsPaused()
{
    m_server.lines({"SADD asynq:queues default", "SET asynq:{default}:processed 50",
                    "SET asynq:{default}:failed 5"});
    m_server.run({"SET", "asynq:{default}:paused", QByteArray::number(m_nowMs / 1000 - 720)});
    m_server.run({"LPUSH", "asynq:{default}:pending", "0b7c2f1e-8a54-4a63-9b1e-0d5a54a7c001"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    const QJsonObject queue = taken.named("queues", "default");
    QCOMPARE(queue["paused"_L1].toBool(), true);
    QCOMPARE(queue["completed_total"_L1].toInt(), 45);
    const Reading reading = readQueue(m_server, queueNamed(taken, "default"));
    const auto fact = std::find_if(reading.state.facts.begin(), reading.state.facts.end(),
                                   [](const Fact& f) { return f.label == u"Paused for"_s; });
    QVERIFY(fact != reading.state.facts.end());
    QVERIFY2(fact->value.startsWith(u"12 m"_s), qPrintable(fact->value));
    m_server.line("DEL asynq:{default}:paused");
    QCOMPARE(takeSnapshot(m_server.url()).named("queues", "default")["paused"_L1].toBool(true),
             false);
}

void TestJobNumbers::entriesOfAStreamWait()
{
    m_server.run({"XADD", "orders", ms(8000) + "-0", "id", "1"});
    m_server.run({"XADD", "orders", ms(6000) + "-0", "id", "2"});
    m_server.lines(
        {"XGROUP CREATE orders billing 0", "XREADGROUP GROUP billing c1 STREAMS orders >"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    const QJsonValue waited = taken.named("queues", "orders")["waited_ms"_L1];
    QCOMPARE(waited["jobs"_L1].toInt(), 2);
    QVERIFY2(waited["p50"_L1].toInt() >= 6000 && waited["p99"_L1].toInt() < 20'000,
             taken.json.constData());
}

LK_TEST(TestJobNumbers);
#include "tst_jobnumbers.moc"
