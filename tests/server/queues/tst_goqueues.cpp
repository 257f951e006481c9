// SPDX-License-Identifier: GPL-3.0-or-later
// Queues of Go's libraries, which cannot be run here: keys as their sources write them.
#include "tests/server/queues/detectedqueue.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;

namespace {

constexpr char first[] = "7a2f3a53-30ca-4da8-9a4c-5a5f5b0d7b01";
constexpr char second[] = "7a2f3a53-30ca-4da8-9a4c-5a5f5b0d7b02";

QByteArray task(const char* type, quint64 retried = 0, const char* error = "")
{
    ProtoMessage message;
    message.text(1, type).text(2, "{\"user\":42}").text(4, "mail").number(5, 25);
    if (retried > 0)
        message.number(6, retried).text(7, error);
    return message.bytes;
}

void asynq(LibraryFixture& redis, const QByteArray& space)
{
    const QByteArray stem = space + "{mail}:";
    redis.run("SADD", space + "queues", {"mail"});
    int next = 0;
    const auto add = [&](const char* state, const QByteArray& message) {
        const QByteArray id = QByteArray(first).chopped(2) + QByteArray::number(10 + next++);
        redis.run("HSET", stem + "t:" + id, {"msg", message, "state", state});
        return id;
    };
    for (int i = 0; i < 3; ++i) {
        const QByteArray id = add("pending", task("email:welcome"));
        redis.run("HSET", stem + "t:" + id, {"pending_since", redis.ns(-90 + i)});
        redis.run("LPUSH", stem + "pending", {id});
    }
    const QByteArray dead = add("active", task("report:build"));
    const QByteArray alive = add("active", task("email:welcome", 2, "smtp: timeout"));
    redis.run("LPUSH", stem + "active", {dead, alive});
    redis.run("ZADD", stem + "lease", {redis.s(-120), dead, redis.s(20), alive});
    redis.run("ZADD", stem + "scheduled", {redis.s(600), add("scheduled", task("digest"))});
    redis.run("ZADD", stem + "retry", {redis.s(30), add("retry", task("digest", 1, "x"))});
    for (int i = 0; i < 3; ++i)
        redis.run("ZADD", stem + "archived",
                  {redis.s(-500 - i),
                   add("archived", task("email:welcome", 25, i < 2 ? "550 no such user" : "tls"))});
    redis.run("ZADD", stem + "completed", {redis.s(300), add("completed", task("digest"))});
    redis.run("SADD", stem + "groups", {"nightly"});
    redis.run("ZADD", stem + "g:nightly", {redis.s(-5), add("aggregating", task("digest"))});
    redis.run("SET", stem + "unique:digest:0cc175b9c0f1b6a831c399e269772661", {dead, "EX", "60"});
    redis.run("SET", stem + "processed", {"120"});
    redis.run("SET", stem + "failed", {"20"});
    redis.run("SET", stem + "processed:2026-11-22", {"7", "EX", "9000"});
    const QByteArray server = "{web-1:4711:" + QByteArray(second) + "}";
    redis.run("ZADD", space + "servers", {redis.s(8), redis.key(space + "servers:" + server)});
    redis.run("ZADD", space + "workers", {redis.s(8), redis.key(space + "workers:" + server)});
    redis.run("SETEX", space + "servers:" + server,
              {"10", ProtoMessage()
                         .text(1, "web-1")
                         .number(2, 4711)
                         .text(5, ProtoMessage().text(1, "mail").number(2, 1).bytes)
                         .bytes});
    redis.run("HSET", space + "workers:" + server, {alive, ProtoMessage().text(1, "web-1").bytes});
}

QByteArray job(const char* name, const char* id, const QByteArray& t, const char* rest = "")
{
    return QByteArray(R"({"name":")") + name + R"(","id":")" + id + R"(","t":)" + t +
           R"(,"args":{"to":"ada"})" + rest + '}';
}

void gocraft(LibraryFixture& redis, const QByteArray& space)
{
    redis.run("SADD", space + "known_jobs", {"send_email", "export"});
    redis.run("SADD", space + "worker_pools",
              {"5a1f00aa00aa00aa00aa00aa", "5b2f00bb00bb00bb00bb00bb"});
    redis.run("HSET", space + "worker_pools:5a1f00aa00aa00aa00aa00aa",
              {"heartbeat_at", redis.s(-2), "started_at", redis.s(-900), "job_names",
               "export,send_email", "concurrency", "10", "worker_ids", "a,b", "host", "web-1",
               "pid", "4711"});
    redis.run("HSET", space + "worker_pools:5b2f00bb00bb00bb00bb00bb",
              {"heartbeat_at", redis.s(-300), "started_at", redis.s(-900), "job_names",
               "export,send_email", "concurrency", "10", "worker_ids", "c", "host", "web-2", "pid",
               "12"});
    const QByteArray key = space + "jobs:send_email";
    for (const char* id : {"a1", "a2", "a3"})
        redis.run("LPUSH", key, {job("send_email", id, redis.s(-60))});
    redis.run("LPUSH", key + ":5a1f00aa00aa00aa00aa00aa:inprogress",
              {job("send_email", "b1", redis.s(-61))});
    redis.run("LPUSH", key + ":5b2f00bb00bb00bb00bb00bb:inprogress",
              {job("send_email", "b2", redis.s(-400)), job("send_email", "b3", redis.s(-400))});
    redis.run("SET", key + ":lock", {"3"});
    redis.run("HSET", key + ":lock_info",
              {"5a1f00aa00aa00aa00aa00aa", "1", "5b2f00bb00bb00bb00bb00bb", "2"});
    redis.run("SET", key + ":max_concurrency", {"4"});
    redis.run("ZADD", space + "scheduled", {redis.s(500), job("send_email", "c1", redis.s(0))});
    redis.run("ZADD", space + "retry",
              {redis.s(50), job("send_email", "d1", redis.s(0), R"(,"fails":1,"err":"eof")"),
               redis.s(51), job("export", "d2", redis.s(0), R"(,"fails":1,"err":"eof")")});
    redis.run("ZADD", space + "dead",
              {redis.s(-70),
               job("send_email", "e1", redis.s(0), R"(,"fails":4,"err":"550 no such user")"),
               redis.s(-71), job("export", "e2", redis.s(0), R"(,"fails":4,"err":"disk full")")});
    redis.run("HSET", space + "worker:5a1f00aa",
              {"job_name", "send_email", "job_id", "b1", "started_at", redis.s(-3), "args", ""});
}

void rmq(LibraryFixture& redis, const QByteArray& space)
{
    redis.run("SADD", space + "connections", {"api-Xb1", "api-Yc2"});
    redis.run("SADD", space + "queues", {"mail"});
    redis.run("SET", space + "connection::api-Xb1::heartbeat", {"1", "EX", "59"});
    for (const char* connection : {"api-Xb1", "api-Yc2"}) {
        const QByteArray own = space + "connection::" + connection;
        redis.run("SADD", own + "::queues", {"mail"});
        redis.run("SADD", own + "::queue::[mail]::consumers", {"sender-1"});
    }
    redis.run("LPUSH", space + "connection::api-Xb1::queue::[mail]::unacked", {"to:ada"});
    redis.run("LPUSH", space + "connection::api-Yc2::queue::[mail]::unacked", {"to:bob", "to:eve"});
    redis.run("LPUSH", space + "queue::[mail]::ready", {"to:x", "to:y", "to:z"});
    redis.run("LPUSH", space + "queue::[mail]::rejected", {"to:nobody"});
}

void faktory(LibraryFixture& redis, const QByteArray&)
{
    const auto job = [&](const char* id, const char* rest = "", const char* queue = "mail") {
        return QByteArray(R"({"retry":25,"jid":")") + id + R"(","queue":")" + queue +
               R"(","jobtype":"SendMail","created_at":"2026-11-22T05:00:00.1Z","args":[7])" + rest +
               '}';
    };
    redis.run("SADD", "queues", {"mail"});
    for (const char* id : {"a1Zk", "a2Zk", "a3Zk"})
        redis.run("LPUSH", "mail", {job(id)});
    const auto reservation = [&](const char* id, const QByteArray& untilS) {
        redis.run("ZADD", "working",
                  {untilS, R"({"job":)" + job(id) +
                               R"(,"reserved_at":"2026-11-22T05:10:00Z","wid":"w1"})"});
    };
    reservation("b1Zk", redis.s(900));
    reservation("b2Zk", redis.s(-60)); // over
    redis.run("ZADD", "scheduled", {redis.s(500), job("c1Zk")});
    const char* failure = R"(,"failure":{"retry_count":1,"errtype":"SMTPError","message":"550"})";
    redis.run("ZADD", "retries",
              {redis.s(50), job("d1Zk", failure), redis.s(51), job("d2Zk", failure, "mail")});
    redis.run("ZADD", "dead", {redis.s(9000), job("e1Zk", failure)});
}

} // namespace

class TestGoQueues : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init() { m_server.flush(); }

    void detected_data();
    void detected();
    void workers_data();
    void workers();
    void namesAlone();

private:
    RedisServer m_server;
};

void TestGoQueues::detected_data()
{
    addQueueColumns();
    addQueue("asynq", asynq, "asynq:", "asynq", "mail", {3, 2, 3, 3, 1});
    addQueue("asynq behind a proxy", asynq, "acme/prod:tasks:", "asynq", "mail", {3, 2, 3, 3, 1});
    addQueue("gocraft/work", gocraft, "work:", "gocraft-work", "send_email", {3, 3, 2, 1, 2}, 2);
    addQueue("gocraft/work elsewhere", gocraft, "acme:prod:", "gocraft-work", "send_email",
             {3, 3, 2, 1, 2}, 2);
    addQueue("rmq", rmq, "rmq::", "rmq", "mail", {3, 3, 0, 1, 2});
    addQueue("rmq elsewhere", rmq, "acme::bus::", "rmq", "mail", {3, 3, 0, 1, 2});
    addQueue("faktory", faktory, "", "faktory", "mail", {3, 2, 3, 1, 1});
}

void TestGoQueues::detected()
{
    checkDetectedQueue(m_server);
}

void TestGoQueues::workers_data()
{
    detected_data();
}

// One of them is dead, or its lease is over: the library itself would take the job from it.
void TestGoQueues::workers()
{
    QFETCH(const QueueFixture, fixture);
    QFETCH(const QByteArray, space);
    QFETCH(const QByteArray, layout);
    QFETCH(const QByteArray, name);
    QFETCH(const QList<int>, counts);
    if (layout == "faktory")
        return; // it keeps its workers to itself
    LibraryFixture redis(m_server, {});
    fixture(redis, space);

    const QJsonObject queue = takeSnapshot(m_server.url()).named("queues", name);
    const QJsonArray workers = queue[u"workers"].toArray();
    int jobs = 0;
    int alive = 0;
    for (const QJsonValue& worker : workers) {
        jobs += worker[u"jobs"].toInt();
        alive += worker[u"alive"].toBool() ? 1 : 0;
    }
    QCOMPARE(alive, 1);
    QCOMPARE(int(workers.size()), layout == "asynq" ? 1 : 2);
    QCOMPARE(jobs, layout == "asynq" ? 1 : counts[1]);
}

// The same names without the content.
void TestGoQueues::namesAlone()
{
    m_server.lines({"SADD asynq:queues2 mail", "RPUSH asynq:{mail}:pending a",
                    "SET {mail}:paused 1", "RPUSH work:jobs:mail a b", "SET work:jobs:mail:lock 3",
                    "SADD work:known_jobs x", "ZADD work:retry 1795223350 a",
                    "RPUSH acme::queue::[mail]::ready a", "SADD acme::queues mail2",
                    "HSET asynq:{mail}:t:1 subject hello"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    const QByteArrayList ours{"asynq", "gocraft-work"};
    for (const QJsonValue& queue : taken.list("queues"))
        QVERIFY2(!ours.contains(queue[u"layout"].toString().toLatin1()), taken.text.constData());
}

LK_TEST(TestGoQueues);
#include "tst_goqueues.moc"
