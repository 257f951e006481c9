// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/takensnapshot.h"

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

    // It has missed several beats.
    m_server.run({"PEXPIRE", process, "15000"});
    taken = takeSnapshot(m_server.url());
    QCOMPARE(taken.named("queues", "default")["stuck"_L1].toInt(), 1);
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
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QCOMPARE(count(taken, "default", "busy"), 1);
    QCOMPARE(taken.list("queues").size(), 1);
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

QTEST_GUILESS_MAIN(TestJobQueueFixtures)
#include "tst_jobqueuefixtures.moc"
