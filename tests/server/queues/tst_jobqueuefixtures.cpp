// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/takensnapshot.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// Versions of libraries that cannot be run here: keys made by hand, as their sources write them.
class TestJobQueueFixtures : public QObject
{
    Q_OBJECT

private:
    int count(const TakenSnapshot& taken, const QByteArray& name, const char* state)
    {
        for (const QJsonValue& s : taken.named("queues", name)["states"_L1].toArray()) {
            if (s["name"_L1].toString() == QLatin1String(state))
                return s["count"_L1].toInt(-1);
        }
        return -1;
    }
    RedisServer m_server;

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init() { m_server.flush(); }

    void rq2();
    void sidekiq8();
    void sidekiqsCapsulesSayWhoListens();
    void laravelsPause();
    void bullWithNamedJobs();
    void djangoQ();
    void agenda();
    void idleSidekiqQueues();
    void sidekiqWithSuperFetch();
    void sharedSetsOfManyJobsAreNotCounted();
    void aStreamWithTwoGroups();
    void namesAloneAreNoQueues();
};

// Since RQ 2 a member of wip is "<job>:<execution>".
void TestJobQueueFixtures::rq2()
{
    const QByteArray job = "7b1f6ff2-2f2e-4d3c-9d58-0f6f2f6a8f11";
    const QByteArray soon = QByteArray::number(serverNowMs(m_server) / 1000 + 60);
    m_server.run({"SADD", "rq:queues", "rq:queue:default", "rq:queue:idle"});
    m_server.run({"ZADD", "rq:wip:default", soon, job + ":0d2f"});
    m_server.run({"HSET", "rq:job:" + job, "origin", "default", "status", "started", "created_at",
                  "2026-11-22T06:06:43.966601Z", "started_at", "2026-11-22T06:06:44Z",
                  "description", "mails.send('ada')", "worker_name", "w1"});
    m_server.run({"HSET", "rq:worker:w1", "state", "busy", "current_job", job});
    m_server.run({"ZADD", "rq:executions:" + job, soon, "0d2f"});
    m_server.run({"HSET", "rq:execution:" + job + ":0d2f", "last_heartbeat", "x"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QCOMPARE(count(taken, "default", "started"), 1);
    QCOMPARE(taken.named("queues", "default")["stuck"_L1].toInt(), 0);
    QCOMPARE(count(taken, "idle", "queued"), 0);
    QCOMPARE(taken.list("queues").size(), 2);

    m_server.run({"ZADD", "rq:wip:default", "1700000000", job + ":0d2f"});
    QCOMPARE(takeSnapshot(m_server.url()).named("queues", "default")["stuck"_L1].toInt(), 1);
}

// Times are whole milliseconds, what a thread works on is in <process>:work.
void TestJobQueueFixtures::sidekiq8()
{
    const QByteArray process = "web-1:4242:0123456789ab";
    const auto job = [](const QByteArray& jid, const QByteArray& queue) -> QByteArray {
        return R"({"class":"MailJob","args":[1],"retry":true,"queue":")" + queue + R"(","jid":")" +
               jid + R"(","created_at":1795327726719,"enqueued_at":1795327726719})";
    };
    m_server.run({"SADD", "queues", "default", "low"});
    m_server.run({"SADD", "processes", process});
    m_server.run({"HSET", process, "info",
                  R"({"hostname":"web-1","pid":4242,"queues":["default"]})", "busy", "1", "beat",
                  "1795327726.5", "quiet", "false"});
    m_server.run({"PEXPIRE", process, "58000"});
    m_server.run({"HSET", process + ":work", "t1",
                  R"({"queue":"default","payload":"{\"class\":\"MailJob\",\"args\":[],)"
                  R"(\"jid\":\"aaaaaaaaaaaaaaaaaaaaaaaa\"}","run_at":1795327726})"});
    m_server.run({"ZADD", "retry", "1795331421.6", job("bbbbbbbbbbbbbbbbbbbbbbbb", "default"),
                  "1795331422.6", job("cccccccccccccccccccccccc", "low")});
    TakenSnapshot taken = takeSnapshot(m_server.url());
    QCOMPARE(count(taken, "default", "busy"), 1);
    QCOMPARE(count(taken, "default", "retries"), 1);
    QCOMPARE(count(taken, "low", "retries"), 1);
    QCOMPARE(taken.named("queues", "default")["stuck"_L1].toInt(), 0);

    // It has missed several beats, which Sidekiq allows; then all of them.
    m_server.run({"PEXPIRE", process, "15000"});
    taken = takeSnapshot(m_server.url());
    QCOMPARE(taken.named("queues", "default")["stuck"_L1].toInt(), 0);
    m_server.run({"DEL", process});
    taken = takeSnapshot(m_server.url());
    QCOMPARE(taken.named("queues", "default")["stuck"_L1].toInt(), 1);
}

// From version 9 on the queues stand in the capsules alone.
void TestJobQueueFixtures::sidekiqsCapsulesSayWhoListens()
{
    m_server.run({"SADD", "queues", "default", "low", "mail"});
    for (const char* queue : {"default", "low", "mail"})
        m_server.run({"LPUSH", "queue:" + QByteArray(queue),
                      R"({"class":"A","args":[],"jid":"dddddddddddddddddddddddd"})"});
    m_server.run({"SADD", "processes", "web-1:4242:0123456789ab"});
    m_server.run({"HSET", "web-1:4242:0123456789ab", "info",
                  R"({"hostname":"web-1","pid":4242,"capsules":{"default":{"concurrency":5,)"
                  R"("mode":"strict","weights":{"default":0}},"one":{"concurrency":1,)"
                  R"("mode":"random","weights":{"low":1}}}})",
                  "busy", "0", "quiet", "false"});
    m_server.run({"PEXPIRE", "web-1:4242:0123456789ab", "58000"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QCOMPARE(taken.named("queues", "default")["workers"_L1].toArray().size(), 1);
    QCOMPARE(taken.named("queues", "low")["workers"_L1].toArray().size(), 1);
    QCOMPARE(taken.named("queues", "mail")["workers"_L1].toArray().size(), 0);
}

// Laravel 12.40 and later pause a queue by a key in the cache, under the cache's own prefix.
void TestJobQueueFixtures::laravelsPause()
{
    const QByteArray job = R"({"uuid":"u","displayName":"A","job":"x","data":{},"attempts":0})";
    m_server.run({"RPUSH", "laravel-database-queues:mail", job});
    m_server.run({"RPUSH", "laravel-database-queues:default", job});
    m_server.run(
        {"SET", "laravel-database-laravel-cache-illuminate:queue:paused:redis:mail", "b:1;"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QVERIFY(taken.named("queues", "mail")["paused"_L1].toBool());
    QVERIFY(!taken.named("queues", "default")["paused"_L1].toBool(true));
    m_server.run(
        {"SET", "laravel-database-laravel-cache-illuminate:queue:paused:redis:mail", "b:0;"});
    QVERIFY(!takeSnapshot(m_server.url()).named("queues", "mail")["paused"_L1].toBool(true));
}

// The application names its jobs, and no worker has been there yet.
void TestJobQueueFixtures::bullWithNamedJobs()
{
    m_server.run({"SET", "bull:mail:id", "2"});
    m_server.run({"LPUSH", "bull:mail:wait", "order-17", "order-18"});
    for (const char* id : {"order-17", "order-18"})
        m_server.run({"HSET", "bull:mail:" + QByteArray(id), "name", "__default__", "data", "{}",
                      "opts", "{}", "timestamp", "1795327726719", "delay", "0", "priority", "0"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QCOMPARE(taken.named("queues", "mail")["layout"_L1].toString(), u"bull"_s);
    QCOMPARE(taken.named("queues", "mail")["ready"_L1].toInt(), 2);
    // A list of words alone is nothing.
    m_server.flush();
    m_server.run({"SET", "menu:main:id", "2"});
    m_server.run({"LPUSH", "menu:main:wait", "order-17", "order-18"});
    QVERIFY(takeSnapshot(m_server.url()).list("queues").isEmpty());
}

void TestJobQueueFixtures::djangoQ()
{
    const QByteArray task = "gASVnQAAAAAAAAB9lCiMAmlklIwgYTZk:1vMabc:"
                            "Qx3f9Zk2_8hTn1uVwXyZ0aBcDeFgHiJkLmNoPqRs-tU";
    m_server.run({"RPUSH", "django_q:shop:q", task, task, task});
    TakenSnapshot taken = takeSnapshot(m_server.url());
    QCOMPARE(taken.named("queues", "shop")["layout"_L1].toString(), u"django-q"_s);
    QCOMPARE(taken.named("queues", "shop")["ready"_L1].toInt(), 3);
    m_server.flush();
    m_server.run({"RPUSH", "django_q:shop:q", "milk", "bread"});
    QVERIFY(takeSnapshot(m_server.url()).list("queues").isEmpty());
}

void TestJobQueueFixtures::agenda()
{
    const QByteArray ids[] = {"62556984-2963-4021-a640-1f556ae9948d",
                              "0b7d5c9e-7a34-4b0e-9d0b-5d0f1c2a3b4c",
                              "1b7d5c9e-7a34-4b0e-9d0b-5d0f1c2a3b4c"};
    const char* scores[] = {"1795223350117.1", "4102444800000.1", "9007199254740991"};
    for (int i = 0; i < 3; ++i) {
        m_server.run({"HSET", "agenda:job:" + ids[i], "id", ids[i], "name", "mail", "lockedAtMs",
                      "null", "failReason", "null", "nextRunAt", "2026-11-21T01:09:10.117Z"});
        m_server.run({"SADD", "agenda:jobs:all", ids[i]});
        m_server.run({"SADD", "agenda:jobs:by_name:mail", ids[i]});
        m_server.run({"ZADD", "agenda:jobs:by_next_run_at", scores[i], ids[i]});
    }
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    const QJsonObject queue = taken.named("queues", "agenda");
    QCOMPARE(queue["layout"_L1].toString(), u"agenda"_s);
    QCOMPARE(queue["ready"_L1].toInt(), 1);
    QCOMPARE(queue["delayed"_L1].toInt(), 1);
    QCOMPARE(taken.list("queues").size(), 1);
    QVERIFY(!taken.snapshot || taken.snapshot->scan.notRecognized == 0);
}

// All that is left of a queue without jobs is its name in a set; however many they are.
void TestJobQueueFixtures::idleSidekiqQueues()
{
    for (const QByteArray space : {"", "acme:"}) {
        m_server.flush();
        Command names{"SADD", space + "queues"};
        for (int i = 0; i < 12; ++i)
            names << "q" + QByteArray::number(i);
        m_server.run(names);
        m_server.run({"SET", space + "stat:processed", "12"});
        QVERIFY(takeSnapshot(m_server.url()).list("queues").isEmpty()); // Resque has these, too
        m_server.run({"SADD", space + "processes", "web-1:4242:0123456789ab"});
        const TakenSnapshot taken = takeSnapshot(m_server.url());
        QCOMPARE(taken.list("queues").size(), 12);
        QCOMPARE(count(taken, "q11", "enqueued"), 0);
        QCOMPARE(taken.named("queues", "q3")["layout"_L1].toString(), u"sidekiq"_s);
    }
}

void TestJobQueueFixtures::sidekiqWithSuperFetch()
{
    m_server.run({"SADD", "queues", "default"});
    m_server.run({"LPUSH", "queue:sq|web-1:4242:0123456789ab|default",
                  R"({"class":"A","args":[],"queue":"default","jid":"dddddddddddddddddddddddd"})"});
    m_server.run({"LPUSH", "queue:sq_web_1:4242:0123456789ab_default_2",
                  R"({"class":"A","args":[],"queue":"x","jid":"eeeeeeeeeeeeeeeeeeeeeeee"})"});
    m_server.run({"SADD", "super_processes", "web-1:4242:0123456789ab"});
    // Only the hash of its identity shows that a process is alive.
    m_server.run({"HSET", "web-1:4242:0123456789ab", "beat", "1", "busy", "1", "info", "{}"});
    m_server.run({"SET", "reliable-fetcher-heartbeat-web_1-4242-0123456789ab", "1"});
    TakenSnapshot taken = takeSnapshot(m_server.url());
    QCOMPARE(count(taken, "default", "busy"), 1);
    QCOMPARE(count(taken, "default_2", "busy"), 1);
    QCOMPARE(taken.list("queues").size(), 2);
    QCOMPARE(taken.named("queues", "default")["stuck"_L1].toInt(), 0);
    QCOMPARE(taken.named("queues", "default_2")["stuck"_L1].toInt(), 1);
    m_server.run({"DEL", "web-1:4242:0123456789ab"});
    taken = takeSnapshot(m_server.url());
    QCOMPARE(taken.named("queues", "default")["stuck"_L1].toInt(), 1);
}

// Which of them are a queue's is in the jobs themselves: unknown beats wrong.
void TestJobQueueFixtures::sharedSetsOfManyJobsAreNotCounted()
{
    m_server.run({"SADD", "queues", "default", "low"});
    std::vector<Command> many;
    for (int i = 0; i < 3000; ++i) {
        const QByteArray jid = QByteArray::number(i).rightJustified(24, '0');
        many.push_back({"ZADD", "retry", QByteArray::number(1795331421 + i),
                        R"({"class":"A","args":[],"queue":"default","jid":")" + jid + "\"}"});
    }
    m_server.runAll(many);
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QCOMPARE(count(taken, "default", "retries"), -1);
    m_server.run({"SREM", "queues", "low"});
    QCOMPARE(count(takeSnapshot(m_server.url()), "default", "retries"), 3000);
}

void TestJobQueueFixtures::aStreamWithTwoGroups()
{
    m_server.lines({"XADD orders * f 1", "XADD orders * f 2", "XGROUP CREATE orders mail 0",
                    "XGROUP CREATE orders bill 0",
                    "XREADGROUP GROUP mail m1 COUNT 1 STREAMS orders >"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QCOMPARE(count(taken, "orders", "waiting: mail"), 1);
    QCOMPARE(count(taken, "orders", "pending: mail"), 1);
    QCOMPARE(count(taken, "orders", "waiting: bill"), 2);
    QCOMPARE(taken.named("queues", "orders")["ready"_L1].toInt(), 3);
}

// The names of several libraries with what is none of theirs.
void TestJobQueueFixtures::namesAloneAreNoQueues()
{
    m_server.lines({"SADD queues amsterdam berlin", "SADD processes a b", "ZADD retry 5 a 6 b",
                    "ZADD dead 1 player:7", "RPUSH queue:history 1 2 3", "RPUSH celery stalk root",
                    "SADD rq:queues x", "RPUSH rq:queue:x hello", "HSET unacked a 1",
                    "RPUSH app:queues:default song", "XADD events * f v", "ZADD trips__queue 5 a"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    for (const char* layout : {"rq", "sidekiq", "celery", "laravel-queue", "stream-group"}) {
        for (const QJsonValue& queue : taken.list("queues"))
            QVERIFY2(queue["layout"_L1].toString() != QLatin1String(layout), layout);
    }
}

LK_TEST(TestJobQueueFixtures);
#include "tst_jobqueuefixtures.moc"
