// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/server/capabilities.h"
#include "tests/server/packedalike.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

const QByteArray rollingWindow = R"(
local rateLimit = 5
local ts = tonumber(ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ts - 60000)
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ts)
if redis.call('ZCARD', KEYS[1]) < rateLimit then
  redis.call('ZADD', KEYS[1], ts, ts)
  return 0
end
local step = 60000 / rateLimit
local nextTime = ts + step
local last = redis.call('ZRANGE', KEYS[2], -1, -1, 'WITHSCORES')
if #last > 0 then nextTime = tonumber(last[#last]) + step end
redis.call('ZADD', KEYS[2], nextTime, nextTime)
return nextTime - ts
)";

const QByteArray sharedLimit = R"(
local t = redis.call('TIME')
for i = 1, 2 do redis.call('ZREMRANGEBYSCORE', KEYS[i], '0', t[1] - ARGV[1]) end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[3]) then return 0 end
redis.call('ZADD', KEYS[1], t[1], t[2])
redis.call('ZADD', KEYS[2], t[1], t[2])
return 1
)";

const QByteArray redissonAcquire = R"(
redis.call('hsetnx', KEYS[1], 'rate', 3)
redis.call('hsetnx', KEYS[1], 'interval', 60000)
redis.call('hsetnx', KEYS[1], 'type', 0)
if redis.call('get', KEYS[2]) == false then redis.call('set', KEYS[2], 3) end
redis.call('zadd', KEYS[3], ARGV[1], struct.pack('fI', ARGV[2], 1))
redis.call('decrby', KEYS[2], 1)
return redis.call('get', KEYS[2])
)";

bool near(const QJsonValue& value, qint64 expected, qint64 tolerance = 1500)
{
    const bool ok =
        value.isDouble() && std::abs(value.toDouble() - double(expected)) <= double(tolerance);
    if (!ok)
        qWarning("%f instead of %lld", value.toDouble(-1), qlonglong(expected));
    return ok;
}

} // namespace

/// One look at what the documents' own commands leave in a database.
class TestSnapshot : public QObject
{
    Q_OBJECT

private:
    RedisServer m_server;
    qint64 ask(const QByteArray& line) { return m_server.line(line).integer; }
    void roll(int calls, qint64 nowMs)
    {
        for (int i = 0; i < calls; ++i)
            m_server.run({"EVAL", rollingWindow, "2", "api:rate", "api:retry",
                          QByteArray::number(nowMs + i)});
    }

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init() { m_server.flush(); }

    void anEmptyServer();
    void aMasterAndItsReplicas();
    void pausedAndOverdueQueues();
    void aSchedulersLockHoldsThemUp();
    void theOldestOfThreeClocks();
    void queuesOfOneName();
    void theTalksTokens();
    void theTalksLocks();
    void theTalksRollingWindow();
    void theTalksRollingWindowDeclared();
    void redissonsLimiter();
    void theRubyistsToken();
    void theRubyistsThrottles();
    void sharedResources();
    void queuesAndLocksOfTheReference();
    void allOfThemTogether();
};

void TestSnapshot::anEmptyServer()
{
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QCOMPARE(taken.answers, 1);
    QVERIFY(taken.snapshot);
    QCOMPARE(taken.root["schema"_L1].toInt(), 2);
    const QJsonObject server = taken.root["server"_L1].toObject();
    QCOMPARE(server["endpoint"_L1].toString(), m_server.url().endpoint());
    QCOMPARE(server["version"_L1].toString(),
             versionText(ServerInfo::fromReply(m_server.line("INFO"))));
    QCOMPARE(server["mode"_L1].toString(), QStringLiteral("standalone"));
    QCOMPARE(server["role"_L1].toString(), QStringLiteral("master"));
    QVERIFY(near(server["time_ms"_L1], serverNowMs(m_server)));
    QCOMPARE(taken.scan()["keys_scanned"_L1].toInt(-1), 0);
    QVERIFY(taken.scan()["complete"_L1].toBool());
    for (const char* kind : {"limiters", "locks", "queues", "tokens", "patterns", "findings"})
        QVERIFY2(taken.root[QLatin1String(kind)].isArray() && taken.list(kind).isEmpty(), kind);
    QVERIFY(taken.text.contains("No limiter, lock, queue or token was detected"));
}

// As of a cluster and of a Sentinel group: the node's own endpoint has no database.
void TestSnapshot::aMasterAndItsReplicas()
{
    RedisServer master({u"--repl-diskless-sync-delay"_s, u"0"_s});
    master.addTcp();
    QVERIFY(master.start());
    RedisServer replica({u"--replicaof"_s, u"127.0.0.1"_s, QString::number(master.port())});
    replica.addTcp();
    QVERIFY(replica.start());
    QTRY_VERIFY_WITH_TIMEOUT(master.line("INFO replication").text.contains("state=online"), 20'000);
    const TakenSnapshot taken = takeSnapshot(master.tcpUrl());
    const QJsonObject server = taken.root["server"_L1].toObject();
    QCOMPARE(server["endpoint"_L1].toString(), u"127.0.0.1:%1/0"_s.arg(master.port()));
    const QJsonArray nodes = server["nodes"_L1].toArray();
    QCOMPARE(nodes.size(), 2);
    QCOMPARE(nodes[0]["endpoint"_L1].toString(), u"127.0.0.1:%1"_s.arg(master.port()));
    QCOMPARE(nodes[0]["role"_L1].toString(), u"master"_s);
    QCOMPARE(nodes[0]["durability"_L1]["fsync"_L1].toString(), u"everysec"_s);
    QVERIFY2(nodes[0]["durability"_L1]["snapshots"_L1].isBool(), taken.json.constData());
    QCOMPARE(nodes[1]["endpoint"_L1].toString(), u"127.0.0.1:%1"_s.arg(replica.port()));
    QCOMPARE(nodes[1]["role"_L1].toString(), u"replica"_s);
    QCOMPARE(nodes[1]["master"_L1].toString(), u"127.0.0.1:%1"_s.arg(master.port()));
    QVERIFY2(nodes[1]["lag_bytes"_L1].isDouble(), taken.json.constData());
}

// A pause and what is overdue are states of a queue, with all that waits, and since when; why it is
// overdue is told with it.
void TestSnapshot::pausedAndOverdueQueues()
{
    const qint64 nowMs = serverNowMs(m_server);
    const auto score = [](qint64 ms) { return QByteArray::number(ms * 4096); };
    m_server.lines(
        {"HSET bull:img:meta version bullmq:6.2.0 paused 1", "LPUSH bull:img:paused 1 2 3 4",
         "LPUSH bull:img:wait 8001 8002 8003", "HSET bull:late:meta version bullmq:5.0.0",
         "HSET bull:late:1 name x data {} timestamp " + QByteArray::number(nowMs - 90'000'000),
         "ZADD bull:late:delayed " + score(nowMs - 86'340'000) + " 1 " + score(nowMs - 5000) +
             " 2 " + score(nowMs + 3'600'000) + " 3",
         "HSET bull:soon:meta version bullmq:5.0.0",
         "ZADD bull:soon:delayed " + score(nowMs + 60'000) + " 1"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    const QJsonObject paused = taken.named("queues", "img");
    QVERIFY(paused["paused"_L1].toBool());
    QVERIFY(paused.contains("paused_since_ms"_L1) && paused["paused_since_ms"_L1].isNull());
    QCOMPARE(paused["ready"_L1].toInt(), 3);
    QCOMPARE(paused["waiting"_L1].toInt(), 7);
    QCOMPARE(taken.findings("img"), QByteArrayList{"queue-paused"});
    QVERIFY2(taken.text.contains("Paused, 7 waiting; 4 of them in the list paused of an earlier "
                                 "version, older than the others."),
             taken.text.constData());
    const QJsonObject late = taken.named("queues", "late");
    QCOMPARE(late["overdue"_L1].toInt(), 1);
    QVERIFY(near(late["overdue_ms"_L1], 86'340'000, 20'000));
    QVERIFY(taken.findings("late").contains("jobs-overdue"));
    QVERIFY2(taken.text.contains("1 overdue, the first by 23 h 59 m"), taken.text.constData());
    const QJsonObject soon = taken.named("queues", "soon");
    QCOMPARE(soon["overdue"_L1].toInt(-1), 0);
    QVERIFY(soon["overdue_ms"_L1].isNull());
    QVERIFY(!taken.findings("soon").contains("jobs-overdue"));
}

// Why jobs are late is told where their library keeps it, also before any worker has been there.
void TestSnapshot::aSchedulersLockHoldsThemUp()
{
    const QByteArray then = QByteArray::number(serverNowMs(m_server) / 1000 - 600);
    m_server.run({"SET", "resque:resque_scheduler_master_lock", "app-7c9f:4711"});
    m_server.run(
        {"RPUSH", "resque:delayed:" + then, R"({"class":"Mail","args":[1],"queue":"mail"})"});
    m_server.run({"ZADD", "resque:delayed_queue_schedule", then, then});
    m_server.run({"SADD", "resque:queues", "mail"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    const QJsonObject queue = taken.named("queues", "mail");
    QVERIFY2(!queue.isEmpty(), taken.json.constData());
    QCOMPARE(queue["overdue"_L1].toInt(), 1);
    QVERIFY(taken.findings("mail").contains("jobs-overdue"));
    QVERIFY2(taken.text.contains("1 overdue, the first by 10 m") &&
                 taken.text.contains("the scheduler's lock has no TTL, owner app-7c9f:4711"),
             taken.text.constData());
}

// Sidekiq's latency, whichever clock a job was enqueued by: seconds, milliseconds, a text.
void TestSnapshot::theOldestOfThreeClocks()
{
    const qint64 nowMs = serverNowMs(m_server);
    const auto job = [](const char* id, const QByteArray& at) {
        return QByteArray(R"({"class":"A","jid":")") + id + R"(","queue":"default","args":[],)" +
               R"("enqueued_at":)" + at + '}';
    };
    const QList<QByteArray> clocks{QByteArray::number(double(nowMs - 60'000) / 1000, 'f', 2),
                                   QByteArray::number(nowMs - 30'000),
                                   '"' + QByteArray::number(double(nowMs - 10'000) / 1000, 'f', 6) +
                                       '"'};
    const int ages[] = {60, 30, 10};
    for (int at = 0; at < 3; ++at) {
        m_server.flush();
        m_server.run({"SADD", "queues", "default"});
        m_server.run({"LPUSH", "queue:default", job("a1b2c3d4e5f6a1b2c3d4e5f6", clocks[at])});
        const TakenSnapshot taken = takeSnapshot(m_server.url());
        const QJsonObject queue = taken.named("queues", "default");
        QVERIFY(near(queue["oldest_ready_ms"_L1], ages[at] * 1000, 5000));
        QVERIFY2(taken.text.contains("Oldest waiting"), taken.text.constData());
    }
}

// Two queues that are called the same are told apart by their prefixes.
void TestSnapshot::queuesOfOneName()
{
    m_server.lines({"HSET bull:email:meta version bullmq:5.0.0", "LPUSH bull:email:wait 1",
                    "HSET {eu}:email:meta version bullmq:5.0.0", "LPUSH {eu}:email:wait 1 2",
                    "HSET bull:video:meta version bullmq:5.0.0", "LPUSH bull:video:wait 1"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QCOMPARE(taken.list("queues").size(), 3);
    QVERIFY2(taken.text.contains("  bull:email ") && taken.text.contains("  {eu}:email ") &&
                 taken.text.contains("  video "),
             taken.text.constData());
}

void TestSnapshot::theTalksTokens()
{
    m_server.line(
        R"(SETEX code:c17bd6 3600 "{\"act_id\": \"1234\", \"email\": \"user@example.org\"}")");
    m_server.line(R"(SETEX code:e6a01f 3600000 "{\"act_id\": \"1235\"}")"); // meant as milliseconds
    m_server.line(R"(SETEX code:b771aa 3600 used)");
    m_server.line("DEL code:b771aa");
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QCOMPARE(taken.names("tokens"), (QByteArrayList{"code:c17bd6", "code:e6a01f"}));
    const QJsonObject token = taken.named("tokens", "code:c17bd6");
    QCOMPARE(token["layout"_L1].toString(), QStringLiteral("string-token"));
    QCOMPARE(token["state"_L1].toString(), QStringLiteral("live"));
    QCOMPARE(token["uses"_L1].toInt(-1), 0);
    QCOMPARE(token["keys"_L1].toObject(), (QJsonObject{{"token"_L1, "code:c17bd6"_L1}}));
    QVERIFY(near(token["ttl_ms"_L1], ask("PTTL code:c17bd6")));
    QCOMPARE(taken.findings("code:e6a01f"), QByteArrayList{"token-ttl-too-long"});
    QVERIFY(taken.findings("code:c17bd6").isEmpty());
    for (const char* secret : {"act_id", "1234", "user@example.org"})
        QVERIFY2(!taken.json.contains(secret) && !taken.text.contains(secret), secret);
}

void TestSnapshot::theTalksLocks()
{
    m_server.line("SET lock:myresource ef1f63c NX PX 10000");
    m_server.line("SET lock:orphan 0a1b2c3d");
    m_server.line(R"(SET lock:odd "{\"secret\": \"hunter2\"}" PX 60000)");
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    const QJsonObject held = taken.named("locks", "lock:myresource");
    QCOMPARE(held["layout"_L1].toString(), QStringLiteral("set-nx-px"));
    QCOMPARE(held["owner"_L1].toString(), QStringLiteral("ef1f63c"));
    QCOMPARE(held["state"_L1].toString(), QStringLiteral("held"));
    QCOMPARE(held["holds"_L1].toInt(), 1);
    QVERIFY(held.contains("waiters"_L1) && held["waiters"_L1].isNull());
    QCOMPARE(held["limit"_L1].toInt(), 1);
    QVERIFY(near(held["ttl_ms"_L1], ask("PTTL lock:myresource")));
    const QJsonObject orphan = taken.named("locks", "lock:orphan");
    QCOMPARE(orphan["state"_L1].toString(), QStringLiteral("immortal"));
    QVERIFY(orphan["ttl_ms"_L1].isNull());
    QCOMPARE(taken.findings("lock:orphan"), QByteArrayList{"lock-without-ttl"});
    QVERIFY(taken.named("locks", "lock:odd")["owner"_L1].isNull());
    QVERIFY(!taken.json.contains("hunter2") && !taken.text.contains("hunter2"));
}

void TestSnapshot::theTalksRollingWindow()
{
    const qint64 startMs = serverNowMs(m_server);
    roll(8, startMs); // five pass, three are told to come back
    TakenSnapshot taken = takeSnapshot(m_server.url());
    QCOMPARE(taken.list("limiters").size(), 1);
    const QJsonObject limiter = taken.list("limiters")[0].toObject();
    QCOMPARE(limiter["layout"_L1].toString(), QStringLiteral("rolling-window-retry"));
    QCOMPARE(limiter["algorithm"_L1].toString(), QStringLiteral("sliding-log"));
    QCOMPARE(limiter["keys"_L1].toObject(),
             (QJsonObject{{"window"_L1, "api:rate"_L1}, {"retry"_L1, "api:retry"_L1}}));
    QCOMPARE(limiter["limit_source"_L1].toString(), QStringLiteral("inferred"));
    QCOMPARE(limiter["limit"_L1].toInt(), 5); // by its reservations, one fifth of the window apart
    QVERIFY(near(limiter["window_ms"_L1], 60'000, 50));
    QCOMPARE(limiter["occupancy"_L1].toInt(), 5);
    QVERIFY(limiter["ttl_ms"_L1].isNull());
    // Without the retry set the numbers are unknown, and the snapshot does not invent them.
    m_server.line("DEL api:retry");
    taken = takeSnapshot(m_server.url());
    const QJsonObject plain = taken.list("limiters")[0].toObject();
    QCOMPARE(plain["layout"_L1].toString(), QStringLiteral("rolling-window"));
    QCOMPARE(plain["limit_source"_L1].toString(), QStringLiteral("unknown"));
    QVERIFY(plain.contains("limit"_L1) && plain["limit"_L1].isNull());
    QVERIFY(plain["remaining"_L1].isNull());
    QCOMPARE(plain["occupancy"_L1].toInt(), 5);
}

void TestSnapshot::theTalksRollingWindowDeclared()
{
    const Config config = configOf(R"(
[[limiter]]
key = "api:rate"
layout = "rolling-window-retry"
limit = 5
window = "1m"
retry = "api:retry"
)");
    const qint64 startMs = serverNowMs(m_server);
    roll(8, startMs);
    m_server.run({"ZADD", "api:rate", QByteArray::number(startMs - 70'000),
                  QByteArray::number(startMs - 70'000)}); // not trimmed yet, and out of the window
    TakenSnapshot taken = takeSnapshot(m_server.url(), config);
    QCOMPARE(taken.list("limiters").size(), 1);
    const QJsonObject limiter = taken.list("limiters")[0].toObject();
    const qint64 elapsed = qint64(taken.root["server"_L1]["time_ms"_L1].toDouble()) - startMs;
    QCOMPARE(limiter["limit_source"_L1].toString(), QStringLiteral("declared"));
    QCOMPARE(limiter["window_ms"_L1].toInt(), 60'000);
    QCOMPARE(limiter["limit"_L1].toInt(), 5);
    QCOMPARE(limiter["occupancy"_L1].toInt(), 5);
    QCOMPARE(limiter["remaining"_L1].toInt(-1), 0);
    QVERIFY(near(limiter["next_free_ms"_L1], 60'000 - elapsed));
    QCOMPARE(limiter["consumers"_L1], QJsonValue(QJsonArray())); // there also where it has none
    QVERIFY(near(limiter["retry_after_ms"_L1], 3 * 12'000 + 5 - elapsed));
    QCOMPARE(limiter["confidence"_L1].toDouble(), 1.0);
    m_server.lines({"DEL api:rate", "DEL api:retry"});
    taken = takeSnapshot(m_server.url(), config); // no call lately: idle, not missing
    const QJsonObject idle = taken.list("limiters")[0].toObject();
    QCOMPARE(idle["occupancy"_L1].toInt(-1), 0);
    QCOMPARE(idle["remaining"_L1].toInt(-1), 5);
    QCOMPARE(idle["next_free_ms"_L1].toInt(-1), 0);
    QCOMPARE(taken.scan()["keys_matched"_L1].toInt(-1), 0);
}

void TestSnapshot::redissonsLimiter()
{
    const qint64 startMs = serverNowMs(m_server);
    for (int i = 0; i < 2; ++i) {
        m_server.run({"EVAL", redissonAcquire, "3", "my-rate-limiter", "{my-rate-limiter}:value",
                      "{my-rate-limiter}:permits", QByteArray::number(startMs + i),
                      QByteArray::number(i * 7 + 1)});
    }
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QCOMPARE(taken.names("limiters"), QByteArrayList{"my-rate-limiter"});
    const QJsonObject limiter = taken.list("limiters")[0].toObject();
    QCOMPARE(limiter["layout"_L1].toString(), QStringLiteral("redisson-rate-limiter"));
    QCOMPARE(limiter["algorithm"_L1].toString(), QStringLiteral("permit-log"));
    QCOMPARE(limiter["limit_source"_L1].toString(), QStringLiteral("stored"));
    QCOMPARE(limiter["limit"_L1].toInt(), 3);
    QCOMPARE(limiter["window_ms"_L1].toInt(), 60'000);
    QCOMPARE(limiter["occupancy"_L1].toInt(), 2);
    QCOMPARE(limiter["remaining"_L1].toInt(), 1);
    QCOMPARE(limiter["next_free_ms"_L1].toInt(-1), 0);
    QCOMPARE(limiter["keys"_L1].toObject().size(), 3);
    QCOMPARE(taken.scan()["keys_matched"_L1].toInt(), 3);
    QCOMPARE(m_server.line("GET {my-rate-limiter}:value").text, QByteArray("1")); // none was taken
}

void TestSnapshot::theRubyistsToken()
{
    m_server.lines({"HMSET user_token:0an3dks7000xcj201ls some_metadata swordfish used_by 0",
                    "EXPIRE user_token:0an3dks7000xcj201ls 600",
                    "HMSET user_token:twice8x7c6v some_metadata swordfish used_by 2",
                    "EXPIRE user_token:twice8x7c6v 600",
                    "HINCRBY user_token:ghost5d4s3a used_by 1"}); // after it had expired
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    const QJsonObject live = taken.named("tokens", "user_token:0an3dks7000xcj201ls");
    QCOMPARE(live["layout"_L1].toString(), QStringLiteral("hash-token"));
    QCOMPARE(live["state"_L1].toString(), QStringLiteral("live"));
    QCOMPARE(live["uses"_L1].toInt(-1), 0);
    QVERIFY(near(live["ttl_ms"_L1], ask("PTTL user_token:0an3dks7000xcj201ls")));
    const QJsonObject twice = taken.named("tokens", "user_token:twice8x7c6v");
    QCOMPARE(twice["state"_L1].toString(), QStringLiteral("used"));
    QCOMPARE(twice["uses"_L1].toInt(), 2);
    QVERIFY(taken.findings("user_token:twice8x7c6v").contains("token-used-twice"));
    const QJsonObject ghost = taken.named("tokens", "user_token:ghost5d4s3a");
    QCOMPARE(ghost["state"_L1].toString(), QStringLiteral("ghost"));
    QVERIFY(ghost["ttl_ms"_L1].isNull());
    QVERIFY(taken.findings("user_token:ghost5d4s3a").contains("ghost-token"));
    QVERIFY(!taken.json.contains("swordfish") && !taken.text.contains("swordfish"));
}

void TestSnapshot::theRubyistsThrottles()
{
    m_server.lines({"INCR gate:spawn_vm", "PEXPIRE gate:spawn_vm 30000",
                    "SET throttle:user:42 1999", "PEXPIRE throttle:user:42 45000"});
    const TakenSnapshot taken = takeSnapshot(m_server.url(), configOf(R"(
[[limiter]]
key = "throttle:*"
layout = "fixed-window"
limit = 2000
window = "1m"
)"));
    const QJsonObject gate = taken.named("limiters", "gate:spawn_vm");
    QCOMPARE(gate["layout"_L1].toString(), QStringLiteral("gate"));
    QCOMPARE(gate["algorithm"_L1].toString(), QStringLiteral("gate"));
    QCOMPARE(gate["limit"_L1].toInt(), 1);
    QCOMPARE(gate["occupancy"_L1].toInt(), 1);
    QCOMPARE(gate["remaining"_L1].toInt(-1), 0);
    QVERIFY(near(gate["next_free_ms"_L1], ask("PTTL gate:spawn_vm")));
    const QJsonObject window = taken.named("limiters", "throttle:user:42");
    QCOMPARE(window["algorithm"_L1].toString(), QStringLiteral("fixed-window"));
    QCOMPARE(window["occupancy"_L1].toInt(), 1999);
    QCOMPARE(window["remaining"_L1].toInt(), 1);
    QCOMPARE(window["next_free_ms"_L1].toInt(-1), 0);
    QVERIFY(near(window["ttl_ms"_L1], ask("PTTL throttle:user:42")));
}

void TestSnapshot::sharedResources()
{
    const auto call = [&](const char* consumer) {
        return m_server
            .run({"EVAL", sharedLimit, "2", "z:rl:resource:12{12}",
                  QByteArray("z:rl:resource:12{12}:consumer:") + consumer, "600", "5", "3"})
            .integer;
    };
    // Marks of one second collide by their microseconds hardly ever, but they may.
    int first = 0;
    while (ask("ZCARD z:rl:resource:12{12}:consumer:1") < 3 && ++first < 20)
        QCOMPARE(call("1"), 1);
    QCOMPARE(call("1"), 0);
    while (ask("ZCARD z:rl:resource:12{12}:consumer:2") < 2 && ++first < 20)
        QCOMPARE(call("2"), 1);
    const TakenSnapshot taken = takeSnapshot(m_server.url(), configOf(R"(
[[limiter]]
key = "z:rl:resource:*"
layout = "resource-consumer"
limit = 5
window = "10m"
consumer_limit = 3
)"));
    QCOMPARE(taken.names("limiters"), QByteArrayList{"z:rl:resource:12{12}"});
    const QJsonObject limiter = taken.list("limiters")[0].toObject();
    QCOMPARE(limiter["layout"_L1].toString(), QStringLiteral("resource-consumer"));
    QCOMPARE(limiter["occupancy"_L1].toInt(), int(ask("ZCARD z:rl:resource:12{12}")));
    QCOMPARE(limiter["limit"_L1].toInt(), 5);
    QCOMPARE(limiter["consumers_total"_L1].toInt(), 2);
    const QJsonArray consumers = limiter["consumers"_L1].toArray();
    QCOMPARE(consumers[0]["name"_L1].toString(), QStringLiteral("1"));
    QCOMPARE(consumers[0]["occupancy"_L1].toInt(), 3);
    QCOMPARE(consumers[0]["limit"_L1].toInt(), 3);
    QCOMPARE(consumers[1]["occupancy"_L1].toInt(), 2);
    QCOMPARE(taken.scan()["keys_matched"_L1].toInt(), 3);
}

void TestSnapshot::queuesAndLocksOfTheReference()
{
    const qint64 nowS = serverNowMs(m_server) / 1000;
    m_server.lines({"LPUSH jobs a b c d e f g h", "RPOPLPUSH jobs jobs:processing",
                    "RPOPLPUSH jobs jobs:processing", "RPOPLPUSH jobs jobs:processing",
                    "SETNX lock.foo " + QByteArray::number(nowS + 601),
                    "SETNX lock.crashed " + QByteArray::number(nowS - 60)});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    const QJsonObject queue = taken.named("queues", "jobs");
    QCOMPARE(queue["layout"_L1].toString(), QStringLiteral("reliable-list"));
    QCOMPARE(queue["keys"_L1].toObject(),
             (QJsonObject{{"ready"_L1, "jobs"_L1}, {"processing"_L1, "jobs:processing"_L1}}));
    QCOMPARE(queue["ready"_L1].toInt(), 5);
    QCOMPARE(queue["processing"_L1].toInt(), 3);
    QCOMPARE(queue["delayed"_L1].toInt(-1), 0);
    QCOMPARE(queue["dead"_L1].toInt(-1), 0);
    QVERIFY(queue.contains("oldest_processing_ms"_L1)); // one look cannot tell an age
    QVERIFY(queue["oldest_processing_ms"_L1].isNull());
    const QJsonObject held = taken.named("locks", "lock.foo");
    QCOMPARE(held["layout"_L1].toString(), QStringLiteral("setnx-timestamp"));
    QCOMPARE(held["state"_L1].toString(), QStringLiteral("held"));
    QVERIFY(near(held["ttl_ms"_L1], 601'000));
    QCOMPARE(taken.named("locks", "lock.crashed")["state"_L1].toString(),
             QStringLiteral("expired"));
    QCOMPARE(taken.findings("lock.crashed"), QByteArrayList{"lock-expired"});
}

void TestSnapshot::allOfThemTogether()
{
    const qint64 nowMs = serverNowMs(m_server);
    roll(8, nowMs);
    m_server.run({"EVAL", redissonAcquire, "3", "rl", "{rl}:value", "{rl}:permits",
                  QByteArray::number(nowMs), "1"});
    m_server.run({"EVAL", sharedLimit, "2", "z:rl:resource:1", "z:rl:resource:1:consumer:1", "600",
                  "5", "3"});
    m_server.lines({"SETEX code:c17bd6 3600 x", "SET lock:a ef1f63c PX 60000", "LPUSH jobs a b",
                    "RPOPLPUSH jobs jobs:processing", "SADD some:set a", "PFADD some:hll a",
                    "XADD some:stream * a b", "SET some:cache text", "HSET some:hash a b"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QVERIFY(isPackedAlike(taken));
    const QJsonObject scan = taken.scan();
    QCOMPARE(scan["keys_scanned"_L1].toInt(), int(ask("DBSIZE")));
    QCOMPARE(scan["keys_skipped"_L1].toInt(-1), 0);
    QCOMPARE(scan["keys_unclaimed"_L1].toInt(), 5);
    QCOMPARE(scan["keys_matched"_L1].toInt() + scan["keys_unclaimed"_L1].toInt(),
             scan["keys_scanned"_L1].toInt());
    QVERIFY(scan["commands"_L1].toInt() > 0);
    QVERIFY(scan["elapsed_ms"_L1].toInt(-1) >= 0);
    int keys = 0;
    for (const char* kind : {"limiters", "locks", "queues", "tokens", "patterns"}) {
        for (const QJsonValue& v : taken.list(kind)) {
            const QJsonObject o = v.toObject();
            QVERIFY(!o["name"_L1].toString().isEmpty() && !o["layout"_L1].toString().isEmpty());
            QVERIFY(o["confidence"_L1].toDouble() > 0 && o["confidence"_L1].toDouble() <= 1);
            keys += int(o["keys"_L1].toObject().size());
        }
    }
    QCOMPARE(keys, scan["keys_matched"_L1].toInt());
    for (const char* name : {"api", "rl", "code:c17bd6", "lock:a", "jobs"})
        QVERIFY2(taken.text.contains(name), taken.text.constData());
}

LK_TEST(TestSnapshot);
#include "tst_snapshot.moc"
