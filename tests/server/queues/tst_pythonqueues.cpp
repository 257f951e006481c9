// SPDX-License-Identifier: GPL-3.0-or-later
// Queues of libraries in Python, PHP and .NET that cannot be run here: keys as their sources write
// them.
#include "tests/server/queues/detectedqueue.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;

namespace {

QByteArray uuid(int number)
{
    return "7a2f3a53-30ca-4da8-9a4c-5a5f5b0d7b" + QByteArray::number(number + 10);
}
QByteArray hex(int number)
{
    return "7a2f3a5330ca4da89a4c5a5f5b0d7b" + QByteArray::number(number + 10);
}

QByteArray message(const LibraryFixture& redis, const char* actor, const QByteArray& options = "{}")
{
    return QByteArray(R"({"queue_name":"mail","actor_name":")") + actor +
           R"(","args":[42],"kwargs":{},"options":)" + options + R"(,"message_id":")" + uuid(80) +
           R"(","message_timestamp":)" + redis.ms(-70'000) + '}';
}

void dramatiq(LibraryFixture& redis, const QByteArray& space)
{
    const QByteArray queue = space + "mail";
    int next = 0;
    const auto add = [&](const char* part, const QByteArray& text) {
        const QByteArray id = uuid(next++);
        redis.run("HSET", queue + part, {id, text});
        return id;
    };
    for (int i = 0; i < 3; ++i)
        redis.run("RPUSH", queue, {add(".msgs", message(redis, "welcome"))});
    const QByteArray alive = uuid(60);
    const QByteArray dead = uuid(61);
    redis.run("ZADD", space + "__heartbeats__",
              {redis.ms(-1000), alive, redis.ms(-90'000), dead, redis.ms(-500), uuid(62)});
    redis.run("SADD", space + "__acks__." + alive + ".mail",
              {add(".msgs", message(redis, "report"))});
    redis.run("SADD", space + "__acks__." + dead + ".mail",
              {add(".msgs", message(redis, "report")), add(".msgs", message(redis, "report"))});
    const QByteArray eta = R"({"eta":)" + redis.ms(60'000) + '}';
    redis.run("RPUSH", queue + ".DQ", {add(".DQ.msgs", message(redis, "digest", eta))});
    redis.run("SADD", space + "__acks__." + alive + ".mail.DQ",
              {add(".DQ.msgs", message(redis, "digest", eta))});
    const QByteArray failed =
        R"({"retries":21,"max_retries":20,"traceback":"Traceback:\n  x\nSMTPError: 550 no user\n"})";
    for (int i = 0; i < 2; ++i)
        redis.run("ZADD", queue + ".XQ",
                  {redis.ms(-5000 - i), add(".XQ.msgs", message(redis, "welcome", failed))});
}

void arq(LibraryFixture& redis, const QByteArray& space)
{
    const QByteArray pickled = QByteArray("\x80\x05\x95\x2a\x00\x00", 6) + "pickle";
    for (int i = 0; i < 6; ++i) {
        redis.run("ZADD", space + "queue", {redis.ms(i < 4 ? -60'000 + i : 60'000), hex(i)});
        redis.run("SET", space + "job:" + hex(i), {pickled, "PX", "90000"});
    }
    redis.run("SET", space + "in-progress:" + hex(1), {"1", "PX", "300000"});
    redis.run("SET", space + "retry:" + hex(1), {"2", "EX", "88400"});
    redis.run("SET", space + "result:" + hex(50), {pickled, "PX", "90000"});
    redis.run("SET", space + "queue:health-check",
              {"Nov-22 07:00:00 j_complete=9 j_failed=0 j_retried=1 j_ongoing=1 queued=5", "PX",
               "3600000"});
}

// Jobs that this application names itself, in a queue of its own name.
void arqNamed(LibraryFixture& redis, const QByteArray&)
{
    redis.run("ZADD", "acme:jobs", {redis.ms(-10), "invoice-7", redis.ms(-9), "invoice-8"});
    redis.run("SET", "arq:job:invoice-7", {QByteArray("\x80\x05\x95", 3), "PX", "90000"});
    redis.run("SET", "arq:job:invoice-8", {QByteArray("\x80\x05\x95", 3), "PX", "90000"});
    redis.run("SET", "arq:in-progress:invoice-8", {"1", "PX", "300000"});
    redis.run("SET", "acme:jobs:health-check",
              {"Nov-22 07:00:00 j_complete=9 j_failed=0 j_retried=1 j_ongoing=1 queued=5", "PX",
               "3600000"});
}

void saq(LibraryFixture& redis, const QByteArray& space)
{
    int next = 0;
    const auto add = [&](const char* list, const QByteArray& json, const QByteArray& score) {
        const QByteArray id = "saq:job:mail:" + uuid(next++);
        const QByteArray before = space.chopped(4);
        redis.run("SET", before + id, {json});
        redis.run("ZADD", space + "mail:incomplete", {score, id});
        if (*list)
            redis.run("RPUSH", space + "mail:" + list, {id});
    };
    const QByteArray waiting =
        R"({"function":"welcome","key":"k","status":"queued","queue":"mail","queued":)";
    for (int i = 0; i < 3; ++i)
        add("queued", waiting + redis.ms(-9000) + '}', "0");
    const auto active = [&](const char* worker, qint64 since) {
        return R"({"function":"report","key":"k","status":"active","queue":"mail","timeout":60,)"
               R"("started":)" +
               redis.ms(since) + R"(,"touched":)" + redis.ms(since) +
               R"(,"attempts":1,"worker_id":")" + worker + R"("})";
    };
    add("active", active("w1", -5000), "0");
    add("active", active("w1", -90'000), "0"); // over its timeout
    add("", waiting + redis.ms(-9000) + '}', redis.s(500));
    redis.run("ZADD", space + "mail:stats", {redis.ms(9000), space + "mail:worker_info:w1"});
    redis.run("SET", space + "mail:worker_info:w1", {R"({"stats":{"complete":4}})", "EX", "60"});
    redis.run("SET", space + "mail:sweep", {"1", "EX", "60"});
}

void huey(LibraryFixture& redis, const QByteArray& space)
{
    const QByteArray task = QByteArray("\x80\x04\x95", 3) + "task";
    for (int i = 0; i < 3; ++i)
        redis.run("LPUSH", space + "huey.redis.mail", {task + QByteArray::number(i)});
    redis.run("ZADD", space + "huey.schedule.mail", {redis.s(500), task + "later"});
    redis.run("HSET", space + "huey.results.mail", {uuid(1), task, "mail.lock.x", "1"});
}

// With priorities the queue is a sorted set, and a time precedes each task.
void hueyWithPriorities(LibraryFixture& redis, const QByteArray& space)
{
    const QByteArray task = QByteArray("\x00\x06\x3d\x7e\x10\x22\x41\x07\x80\x04\x95", 11) + "task";
    for (int i = 0; i < 3; ++i)
        redis.run("ZADD", space + "huey.redis.mail",
                  {QByteArray::number(-i), task + QByteArray::number(i)});
}

void taskiq(LibraryFixture& redis, const QByteArray& space)
{
    for (int i = 0; i < 3; ++i)
        redis.run("LPUSH", space + "mail",
                  {R"({"task_id":")" + hex(i) +
                   R"(","task_name":"shop.mail:welcome","labels":{},"labels_types":{},)"
                   R"("args":[],"kwargs":{}})"});
}

void machinery(LibraryFixture& redis, const QByteArray& space)
{
    const auto task = [](const char* queue, int number) {
        return R"({"UUID":"task_)" + uuid(number) + R"(","Name":"welcome","RoutingKey":")" + queue +
               R"(","ETA":null,"GroupUUID":"","Args":[{"Name":"","Type":"int64","Value":1}],)"
               R"("Headers":{},"RetryCount":0})";
    };
    for (int i = 0; i < 3; ++i)
        redis.run("RPUSH", space + "mail", {task("mail", i)});
    redis.run("ZADD", space + "delayed_tasks",
              {redis.ns(500), task("mail", 7), redis.ns(501), task("reports", 8)});
    redis.run("SET", "task_" + uuid(9),
              {R"({"TaskUUID":"task_)" + uuid(9) + R"(","State":"SUCCESS"})", "EX", "3600"});
}

void hangfire(LibraryFixture& redis, const QByteArray& space)
{
    redis.run("SADD", space + "queues", {"mail"});
    redis.run("SADD", space + "servers", {"web-1:4711:a1b2"});
    redis.run("HSET", space + "server:web-1:4711:a1b2",
              {"WorkerCount", "20", "StartedAt", redis.ms(-900'000), "Heartbeat", redis.ms(-3000)});
    redis.run("RPUSH", space + "server:web-1:4711:a1b2:queues", {"mail"});
    int next = 0;
    const auto add = [&](const std::vector<QByteArray>& state) {
        const QByteArray id = uuid(next++);
        redis.run("HSET", space + "job:" + id,
                  {"Type", "Shop.Mail.Sender, Shop", "Method", "Send", "ParameterTypes", "[]",
                   "Arguments", "[\"42\"]", "CreatedAt", "2026-11-22T05:00:00.0000000Z"});
        redis.run("HSET", space + "job:" + id + ":state", state);
        return id;
    };
    for (int i = 0; i < 3; ++i)
        redis.run("LPUSH", space + "queue:mail",
                  {add({"State", "Enqueued", "EnqueuedAt", redis.ms(-60'000)})});
    const auto running = [&](const char* server) {
        const QByteArray id =
            add({"State", "Processing", "StartedAt", redis.ms(-4000), "ServerId", server});
        redis.run("HSET", space + "job:" + id, {"Fetched", redis.ms(-4000)});
        redis.run("LPUSH", space + "queue:mail:dequeued", {id});
        redis.run("ZADD", space + "processing", {redis.s(-4), id});
    };
    running("web-1:4711:a1b2");
    running("web-2:12:c3d4"); // its server is gone
    redis.run("ZADD", space + "schedule", {redis.s(500), add({"State", "Scheduled"})});
    for (int i = 0; i < 2; ++i)
        redis.run("ZADD", space + "failed",
                  {redis.s(-50 - i),
                   add({"State", "Failed", "ExceptionType", "System.Exception", "ExceptionMessage",
                        "550 no such user", "FailedAt", redis.ms(-50'000)})});
    redis.run("LPUSH", space + "succeeded", {add({"State", "Succeeded"})});
    redis.run("SET", space + "stats:succeeded", {"40"});
    redis.run("SET", space + "stats:failed", {"2"});
}

void taskTiger(LibraryFixture& redis, const QByteArray& space)
{
    int next = 0;
    const auto add = [&](const char* state, const QByteArray& score) {
        const QByteArray id = hex(next) + hex(next + 40);
        ++next;
        redis.run("SADD", space + state, {"mail"});
        redis.run("ZADD", space + state + ":mail", {score, id});
        redis.run(
            "SET", space + "task:" + id,
            {R"({"id":")" + id + R"(","queue":"mail","func":"shop.mail.welcome","args":[1]})"});
        return id;
    };
    for (int i = 0; i < 3; ++i)
        add("queued", redis.s(-60) + ".5");
    add("active", redis.s(-5) + ".5");
    add("active", redis.s(-300) + ".5"); // not renewed
    add("scheduled", redis.s(500) + ".5");
    for (int i = 0; i < 2; ++i)
        redis.run("RPUSH", space + "task:" + add("error", redis.s(-50) + ".5") + ":executions",
                  {R"({"exception_name":"smtplib.SMTPError","traceback":"x\nSMTPError: 550\n"})"});
}

void yii2(LibraryFixture& redis, const QByteArray& space)
{
    for (int i = 1; i <= 6; ++i)
        redis.run("HSET", space + ".messages",
                  {QByteArray::number(i), R"(300;O:17:"app\jobs\SendMail":0:{})"});
    redis.run("SET", space + ".message_id", {"6"});
    redis.run("LPUSH", space + ".waiting", {"1", "2", "3"});
    redis.run("ZADD", space + ".reserved", {redis.s(200), "4", redis.s(-9), "5"});
    redis.run("HSET", space + ".attempts", {"4", "1", "5", "2"});
    redis.run("ZADD", space + ".delayed", {redis.s(500), "6"});
}

void hyperf(LibraryFixture& redis, const QByteArray& space)
{
    int next = 0;
    const auto job = [&] {
        return R"(O:28:"Hyperf\AsyncQueue\JobMessage":1:{s:3:"job";O:17:"App\Job\SendEmail":1:{)"
               R"(s:2:"id";i:)" +
               QByteArray::number(next++) + ";}}";
    };
    redis.run("LPUSH", space + ":waiting", {job(), job(), job()});
    redis.run("ZADD", space + ":reserved", {redis.s(8), job(), redis.s(-9), job()});
    redis.run("ZADD", space + ":delayed", {redis.s(500), job()});
    redis.run("LPUSH", space + ":failed", {job(), job()});
    redis.run("LPUSH", space + ":timeout", {job()});
}

} // namespace

class TestPythonQueues : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init() { m_server.flush(); }

    void detected_data();
    void detected();
    void aSharedHangfire();
    void namesAlone();

private:
    RedisServer m_server;
};

void TestPythonQueues::detected_data()
{
    addQueueColumns();
    addQueue("dramatiq", dramatiq, "dramatiq:", "dramatiq", "mail", {3, 3, 2, 2, 2});
    addQueue("dramatiq elsewhere", dramatiq, "acme/prod:", "dramatiq", "mail", {3, 3, 2, 2, 2});
    addQueue("arq", arq, "arq:", "arq", "arq:queue", {3, 1, 2, 0, 0});
    addQueue("arq behind a proxy", arq, "acme:arq:", "arq", "acme:arq:queue", {3, 1, 2, 0, 0});
    addQueue("arq with names of its own", arqNamed, "", "arq", "acme:jobs", {1, 1, 0, 0, 0});
    addQueue("saq", saq, "saq:", "saq", "mail", {3, 2, 1, 0, 1});
    addQueue("saq behind a proxy", saq, "acme:saq:", "saq", "mail", {3, 2, 1, 0, 1});
    addQueue("huey", huey, "", "huey", "mail", {3, -1, 1, 0, 0});
    addQueue("huey behind a proxy", huey, "acme:", "huey", "mail", {3, -1, 1, 0, 0});
    addQueue("huey with priorities", hueyWithPriorities, "", "huey", "mail", {3, -1, 0, 0, 0});
    addQueue("taskiq", taskiq, "taskiq:", "taskiq", "taskiq:mail", {3, -1, 0, 0, 0});
    addQueue("machinery", machinery, "", "machinery", "mail", {3, -1, 1, 0, 0}, 2);
    addQueue("machinery behind a proxy", machinery, "acme:", "machinery", "mail", {3, -1, 1, 0, 0},
             2);
    addQueue("tasktiger", taskTiger, "t:", "tasktiger", "mail", {3, 2, 1, 2, 1});
    addQueue("tasktiger elsewhere", taskTiger, "acme:x:", "tasktiger", "mail", {3, 2, 1, 2, 1});
    addQueue("yii2", yii2, "queue", "yii2-queue", "queue", {3, 2, 1, 0, 1});
    addQueue("yii2 elsewhere", yii2, "acme:mail", "yii2-queue", "acme:mail", {3, 2, 1, 0, 1});
    addQueue("hyperf", hyperf, "{queue}", "hyperf-queue", "queue", {3, 2, 1, 3, 1});
    addQueue("hyperf elsewhere", hyperf, "acme:mail", "hyperf-queue", "acme:mail", {3, 2, 1, 3, 1});
    addQueue("hangfire", hangfire, "{hangfire}:", "hangfire", "mail", {3, 2, 1, 2, 1});
}

void TestPythonQueues::detected()
{
    checkDetectedQueue(m_server);
}

// With several queues it is unknown whose the failed jobs are.
void TestPythonQueues::aSharedHangfire()
{
    LibraryFixture redis(m_server, {});
    hangfire(redis, "{hangfire}:");
    redis.run("SADD", "{hangfire}:queues", {"reports"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    const QJsonObject queue = taken.named("queues", "mail");
    QCOMPARE(queue[u"ready"].toInt(), 3);
    QVERIFY(queue[u"dead"].isNull());
    QVERIFY(queue[u"delayed"].isNull());
    QVERIFY(!taken.named("queues", "reports").isEmpty());
}

void TestPythonQueues::namesAlone()
{
    m_server.lines({"RPUSH dramatiq:mail a b", "HSET dramatiq:mail.msgs a 1",
                    "ZADD chat:queue 1795223350117 hello", "ZADD arq:queue 5 hello",
                    "RPUSH saq:mail:queued a", "ZADD saq:mail:incomplete 0 a",
                    "RPUSH huey.redis.mail hello", "HSET huey.results.mail a b",
                    "RPUSH machinery_tasks {}", "ZADD delayed_tasks 1795223350000000000 {}",
                    "ZADD t:queued:mail 1795223350 a", "SADD t:queued mail", "RPUSH m.waiting 1",
                    "SET m.message_id 4", "RPUSH h:waiting 1", "SADD shop:queues mail",
                    "SADD shop:servers s1", "RPUSH shop:queue:mail hello",
                    "SET shop:stats:succeeded 4"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    const QByteArrayList ours{"dramatiq", "arq",    "saq",       "huey",       "machinery",
                              "hangfire", "taskiq", "tasktiger", "yii2-queue", "hyperf-queue"};
    for (const QJsonValue& queue : taken.list("queues"))
        QVERIFY2(!ours.contains(queue[u"layout"].toString().toLatin1()), taken.text.constData());
}

LK_TEST(TestPythonQueues);
#include "tst_pythonqueues.moc"
