// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/server/actionsteps.h"
#include "tests/server/nodesteps.h"

#include <vector>

// The keys of libraries, as they write them, and each action on them. The primitives are detected,
// not declared.
namespace lk::test {

/// The configuration of facts that no key contains.
constexpr auto libraryConfig = R"(
[[lock]]
key = "seats"
layout = "redisson-semaphore"
[[queue]]
key = "celery"
layout = "celery"
stuck_after = "1m"
[[queue]]
key = "orders"
layout = "stream-group"
stuck_after = "1m"
)";

namespace library {

/// JSON without blanks, as a word of a command.
inline QByteArray json(QByteArray text)
{
    return text.replace('"', "\\x22");
}

inline QByteArray uuid(int number)
{
    return "7a2f3a53-30ca-4da8-9a4c-5a5f5b0d7b" + QByteArray::number(number + 10);
}

// One job is failed (1), one is due later (2), one has lost its worker (3), and one waits (4).
inline QByteArray bullJobs()
{
    return "HSET bull:mail:1 name send data {} opts {} timestamp {ms-9000} processedOn {ms-800} "
           "finishedOn {ms-500} failedReason full | ZADD bull:mail:failed {ms-500} 1 | "
           "HSET bull:mail:2 name digest data {} opts {} timestamp {ms-9000} delay 500 | "
           "ZADD bull:mail:delayed 7800000000000000 2 | "
           "HSET bull:mail:3 name send data {} opts {} timestamp {ms-9000} processedOn {ms-99000} "
           "| LPUSH bull:mail:active 3 | SADD bull:mail:stalled 3 | "
           "HSET bull:mail:4 name send data {} opts {} timestamp {ms-9000} | ";
}
inline QByteArray bullMq()
{
    return "HSET bull:mail:meta version bullmq:5.34.0 opts.maxLenEvents 10000 | "
           "XADD bull:mail:events 1-1 event added jobId 4 | " +
           bullJobs();
}
inline QByteArray bull()
{
    return "SET bull:mail:id 4 | " + bullJobs();
}

inline QByteArray rq()
{
    const auto job = [](int number, const char* status) {
        return "HSET rq:job:" + uuid(number) + " origin mail description mails.send() status " +
               status + " created_at 2026-11-22T06:06:43.966601Z data x | ";
    };
    return job(0, "queued") + job(1, "failed") + job(2, "scheduled") + job(3, "started") +
           "SADD rq:queues rq:queue:mail | RPUSH rq:queue:mail " + uuid(0) +
           " | ZADD rq:failed:mail {s+9000} " + uuid(1) + " | ZADD rq:scheduled:mail {s+600} " +
           uuid(2) + " | ZADD rq:wip:mail {s-60} " + uuid(3);
}

// The keys of a process that fetches reliably and whose heartbeat is gone.
inline QByteArray sidekiq()
{
    const auto job = [](int number, const char* rest = "") {
        return json(R"({"class":"MailJob","args":[],"retry":true,"queue":"mail","jid":")" +
                    QByteArray::number(number).rightJustified(24, 'a') +
                    R"(","created_at":1795223340.5,"enqueued_at":1795223340.5)" + rest + '}');
    };
    constexpr auto failed =
        R"(,"retry_count":3,"error_class":"E","error_message":"full","failed_at":1795223341.5)";
    return "SADD queues mail | LPUSH queue:mail " + job(0) + " | ZADD retry {s+600} " +
           job(1, failed) + " | ZADD schedule {s+600} " + job(2) + " | ZADD dead {s-600} " +
           job(3, failed) + " | LPUSH working:queue:mail:web-1:4242:0123456789ab " + job(4);
}

inline QByteArray laravel()
{
    const auto job = [](const char* id) {
        return json(
            QByteArray(R"({"displayName":"SendMail","job":"call","data":{},"attempts":1,)") +
            R"("maxTries":3,"id":")" + id + "\"}");
    };
    return "RPUSH queues:mail " + job("w") +
           " | RPUSH queues:mail:notify 1 | "
           "ZADD queues:mail:delayed {s+600} " +
           job("d") + " | ZADD queues:mail:reserved {s-60} " + job("r");
}

inline QByteArray celery()
{
    const auto task = [](int number) {
        return json(R"({"body":"e30=","headers":{"id":")" + uuid(number + 20) +
                    R"(","task":"mails.send","retries":0},"properties":{"delivery_tag":")" +
                    uuid(number) + R"(","delivery_info":{"exchange":"","routing_key":"celery"},)" +
                    R"("priority":0}})");
    };
    return "LPUSH celery " + task(0) + " | HSET unacked " + uuid(1) + " [" + task(1) +
           json(R"(,"","celery"])") + " | ZADD unacked_index {s-600} " + uuid(1);
}

inline QByteArray stream()
{
    return "XADD orders 1795223340000-0 type paid | XADD orders 1795223341000-0 type sent | "
           "XGROUP CREATE orders mail 0 | XREADGROUP GROUP mail m1 COUNT 1 STREAMS orders > | "
           "XCLAIM orders mail m1 0 1795223340000-0 IDLE 600000 JUSTID | "
           "XGROUP CREATECONSUMER orders mail m2";
}

inline QByteArray asynq()
{
    const QByteArray stem = "asynq:{mail}:";
    const auto task = [&](int number, const char* state) {
        return "HSET " + stem + "t:" + uuid(number) +
               R"( msg "\x0a\x04send\x12\x02{}\x22\x04mail\x28\x19" state )" + state + " | ";
    };
    return task(0, "pending") + task(1, "archived") + task(2, "scheduled") + task(3, "active") +
           "SADD asynq:queues mail | LPUSH " + stem + "pending " + uuid(0) + " | ZADD " + stem +
           "archived {s-600} " + uuid(1) + " | ZADD " + stem + "scheduled {s+600} " + uuid(2) +
           " | LPUSH " + stem + "active " + uuid(3) + " | ZADD " + stem + "lease {s-600} " +
           uuid(3);
}

// The pool that has a job in progress has no heartbeat.
inline QByteArray gocraft()
{
    const auto job = [](const char* id, const char* rest = "") {
        return json(QByteArray(R"({"name":"mail","id":")") + id +
                    R"(","t":1795223340,"args":{"to":"ada"})" + rest + '}');
    };
    constexpr auto failed = R"(,"fails":4,"err":"full","failed_at":1795223341)";
    const QByteArray main = "work:jobs:mail";
    const QByteArray pool = "5b2f00bb00bb00bb00bb00bb";
    return "SADD work:known_jobs mail | SADD work:worker_pools " + pool + " | LPUSH " + main + ' ' +
           job("a1") + " | LPUSH " + main + ':' + pool + ":inprogress " + job("b1") + " | SET " +
           main + ":lock 1 | HSET " + main + ":lock_info " + pool +
           " 1 | ZADD work:scheduled {s+600} " + job("c1") + " | ZADD work:dead {s-60} " +
           job("e1", failed);
}

inline QByteArray rmq()
{
    return "SADD rmq::connections api-Xb1 api-Yc2 | SADD rmq::queues mail | "
           "SET rmq::connection::api-Xb1::heartbeat 1 EX 59 | "
           "SADD rmq::connection::api-Yc2::queues mail | "
           "SADD rmq::connection::api-Yc2::queue::[mail]::consumers sender-1 | "
           "LPUSH rmq::connection::api-Yc2::queue::[mail]::unacked to:bob | "
           "LPUSH rmq::queue::[mail]::ready to:ada";
}

inline QByteArray dramatiq()
{
    const auto message = [](int number) {
        return json(R"({"queue_name":"mail","actor_name":"welcome","args":[],"kwargs":{},)"
                    R"("options":{},"message_id":")" +
                    uuid(number) + R"(","message_timestamp":1795223340117})");
    };
    return "HSET dramatiq:mail.msgs " + uuid(0) + ' ' + message(0) + ' ' + uuid(1) + ' ' +
           message(1) + " | RPUSH dramatiq:mail " + uuid(0) +
           " | ZADD dramatiq:__heartbeats__ {ms-90000} " + uuid(61) + " {ms-500} " + uuid(62) +
           " | SADD dramatiq:__acks__." + uuid(61) + ".mail " + uuid(1);
}

inline const QByteArray waits = "RPUSH bull:mail:wait 4";
inline const QByteArray token = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWY=";
inline const QByteArray dotnet = "WEB_01_4242_0123456789abcdef0123456789abcdef";

} // namespace library

inline std::vector<Step> libraryQueueSteps()
{
    using namespace library;
    const QByteArray wait = "LRANGE bull:mail:wait 0 -1";
    const QByteArray rqQueue = "LRANGE rq:queue:mail 0 -1";
    const QByteArray pending = "LRANGE asynq:{mail}:pending 0 -1";
    const QByteArray paused = "RPUSH bull:mail:paused 4 | ";
    const auto all = [](const char* layout, const QByteArray& setup, const char* action,
                        const QByteArray& effect, const QByteArray& seen) {
        return Step{"", layout, "mail", setup, action, "all=", effect, seen, 1, true, true, true};
    };
    const auto pause = [](const char* layout, const QByteArray& setup, const char* action,
                          const QByteArray& effect) {
        return Step{"", layout, "mail", setup, action, "", effect, "4", 1, true, false, true};
    };
    const auto with = [](const char* layout, const QByteArray& setup, const char* action,
                         const QByteArray& values, const QByteArray& look, const QByteArray& seen) {
        return Step{"", layout, "mail", setup, action, values, look, seen, 1, true, true, true};
    };
    const QByteArray old = "older-than=1ms";
    const QByteArray bullFailed = "ZRANGE bull:mail:failed 0 -1";
    std::vector<Step> steps{
        all("bullmq", bullMq() + waits, "queue.retry", wait, "1 4"),
        all("bullmq", bullMq() + waits, "queue.dead-letter", bullFailed, "1 3"),
        with("bullmq", bullMq() + waits, "queue.discard-old", old + " state=failed",
             "EXISTS bull:mail:1 bull:mail:failed", "0"),
        with("bullmq", bullMq() + waits, "queue.push", "name=send payload={}",
             "LLEN bull:mail:wait | EXISTS bull:mail:marker", "2 1"),
        all("bull", bull() + waits, "queue.dead-letter", bullFailed, "1 3"),
        with("bull", bull() + waits, "queue.discard-old", old + " state=failed",
             "EXISTS bull:mail:1 bull:mail:failed", "0"),
        with("bull", bull() + waits, "queue.push", "name=send payload={}", "LLEN bull:mail:wait",
             "2"),
        all("bullmq", bullMq() + waits, "queue.promote", wait, "2 4"),
        all("bullmq", bullMq() + waits, "queue.requeue", wait, "4 3"),
        all("bullmq", bullMq() + waits, "queue.discard", "EXISTS bull:mail:1 bull:mail:failed",
            "0"),
        pause("bullmq", bullMq() + waits, "queue.pause", "LRANGE bull:mail:paused 0 -1"),
        pause("bullmq", bullMq() + paused + "HSET bull:mail:meta paused 1", "queue.resume", wait),
        all("bull", bull() + waits, "queue.retry", wait, "1 4"),
        all("bull", bull() + waits, "queue.promote", wait, "2 4"),
        all("bull", bull() + waits, "queue.requeue", wait, "4 3"),
        all("bull", bull() + waits, "queue.discard", "EXISTS bull:mail:1 bull:mail:failed", "0"),
        pause("bull", bull() + waits, "queue.pause", "LRANGE bull:mail:paused 0 -1"),
        pause("bull", bull() + paused + "SET bull:mail:meta-paused 1", "queue.resume", wait),

        all("rq", rq(), "queue.retry", rqQueue, uuid(0) + ' ' + uuid(1)),
        all("rq", rq(), "queue.promote", rqQueue, uuid(0) + ' ' + uuid(2)),
        all("rq", rq(), "queue.requeue", rqQueue, uuid(0) + ' ' + uuid(3)),
        all("rq", rq(), "queue.discard", "EXISTS rq:failed:mail rq:job:" + uuid(1), "0"),

        all("rq", rq(), "queue.dead-letter", "ZRANGE rq:failed:mail 0 -1", uuid(1) + ' ' + uuid(3)),
        with("rq", rq() + " | HSET rq:job:" + uuid(1) + " ended_at 2026-11-01T06:06:43.966601Z",
             "queue.discard-old", old + " state=failed", "EXISTS rq:failed:mail rq:job:" + uuid(1),
             "0"),
        with("rq", rq(), "queue.push", "name=mails.send payload=[1]", "LLEN rq:queue:mail", "2"),
        {"", "rq", "mail", rq(), "queue.pause", "", "EXISTS rq:suspended", "1", 1, true, false,
         true},
        {"", "rq", "mail", rq() + " | SET rq:suspended 1", "queue.resume", "",
         "EXISTS rq:suspended", "0", 1, true, false, true},

        all("sidekiq", sidekiq(), "queue.dead-letter", "ZCARD dead | EXISTS retry", "2 0"),
        with("sidekiq", sidekiq(), "queue.discard-old", old, "EXISTS dead", "0"),
        with("sidekiq", sidekiq(), "queue.push", "name=MailJob payload=[1]", "LLEN queue:mail",
             "2"),
        all("sidekiq", sidekiq(), "queue.retry", "LLEN queue:mail | EXISTS retry", "2 0"),
        all("sidekiq", sidekiq(), "queue.promote", "LLEN queue:mail | EXISTS schedule", "2 0"),
        all("sidekiq", sidekiq(), "queue.requeue",
            "LLEN queue:mail | EXISTS working:queue:mail:web-1:4242:0123456789ab", "2 0"),
        all("sidekiq", sidekiq(), "queue.discard", "LLEN queue:mail | EXISTS dead", "1 0"),

        with("laravel-queue", laravel(), "queue.push", "name=SendMail payload={}",
             "LLEN queues:mail | LLEN queues:mail:notify", "2 2"),
        with("celery", celery(), "queue.push", "name=mails.send payload=[1]", "LLEN celery", "2"),
        with("stream-group", stream(), "queue.push",
             QByteArray("payload={") + json(R"("a":"b")") + "}", "XLEN orders", "3"),
        with("asynq", asynq(), "queue.push", "name=send payload={}", "LLEN asynq:{mail}:pending",
             "2"),
        all("asynq", asynq(), "queue.dead-letter", "ZCARD asynq:{mail}:archived", "2"),
        with("asynq", asynq(), "queue.discard-old", old, "EXISTS asynq:{mail}:archived", "0"),
        {"", "asynq", "mail", asynq(), "queue.pause", "", "EXISTS asynq:{mail}:paused", "1", 1,
         true, false, true},
        {"", "asynq", "mail", asynq() + " | SET asynq:{mail}:paused 1795223340", "queue.resume", "",
         "EXISTS asynq:{mail}:paused", "0", 1, true, false, true},
        with("gocraft-work", gocraft(), "queue.discard-old", old, "EXISTS work:dead", "0"),
        with("gocraft-work", gocraft(), "queue.push", "payload={}", "LLEN work:jobs:mail", "2"),
        with("rmq", rmq(), "queue.push", "payload=to:eve", "LRANGE rmq::queue::[mail]::ready 0 -1",
             "to:eve to:ada"),
        {"", "dramatiq", "mail", dramatiq(), "queue.push", "name=welcome payload=[1]",
         "LLEN dramatiq:mail | HLEN dramatiq:mail.msgs", "2 3", 1, false, true, true},

        all("laravel-queue", laravel(), "queue.promote",
            "LLEN queues:mail | LLEN queues:mail:notify | EXISTS queues:mail:delayed", "2 2 0"),
        all("laravel-queue", laravel(), "queue.requeue",
            "LLEN queues:mail | EXISTS queues:mail:reserved", "2 0"),
        all("laravel-queue", laravel(), "queue.discard", "EXISTS queues:mail", "0"),

        all("celery", celery(), "queue.requeue", "LLEN celery | EXISTS unacked unacked_index",
            "2 0"),
        all("celery", celery(), "queue.discard", "LLEN celery | EXISTS unacked unacked_index",
            "1 0"),

        all("stream-group", stream(), "queue.requeue", "XLEN orders | XPENDING orders mail - + 9",
            "2"),
        all("stream-group", stream(), "queue.discard", "XLEN orders | XPENDING orders mail - + 9",
            "1"),

        all("asynq", asynq(), "queue.retry", pending, uuid(1) + ' ' + uuid(0)),
        all("asynq", asynq(), "queue.promote", pending, uuid(2) + ' ' + uuid(0)),
        all("asynq", asynq(), "queue.requeue", pending, uuid(0) + ' ' + uuid(3)),
        all("asynq", asynq(), "queue.discard",
            "EXISTS asynq:{mail}:archived asynq:{mail}:t:" + uuid(1), "0"),

        all("gocraft-work", gocraft(), "queue.retry", "LLEN work:jobs:mail | EXISTS work:dead",
            "2 0"),
        all("gocraft-work", gocraft(), "queue.promote",
            "LLEN work:jobs:mail | EXISTS work:scheduled", "2 0"),
        all("gocraft-work", gocraft(), "queue.requeue",
            "LLEN work:jobs:mail | GET work:jobs:mail:lock", "2 0"),
        all("gocraft-work", gocraft(), "queue.discard", "LLEN work:jobs:mail | EXISTS work:dead",
            "1 0"),

        all("rmq", rmq(), "queue.requeue", "LRANGE rmq::queue::[mail]::ready 0 -1",
            "to:bob to:ada"),
        all("dramatiq", dramatiq(), "queue.requeue", "LRANGE dramatiq:mail 0 -1",
            uuid(0) + ' ' + uuid(1)),
    };
    for (Step& step : steps) {
        const QByteArray layout = step.layout;
        if (layout == "celery")
            step.primitive = "celery";
        if (layout == "stream-group")
            step.primitive = "orders";
    }
    const std::vector<Step> more = nodeQueueSteps();
    steps.insert(steps.end(), more.begin(), more.end());
    return steps;
}

inline std::vector<Step> libraryLockSteps()
{
    using namespace library;
    const auto release = [](const char* layout, const char* name, const QByteArray& setup,
                            const QByteArray& values, const QByteArray& effect,
                            const QByteArray& seen, qint64 count = 1) {
        return Step{"",     layout, name,  setup, "lock.release", values,
                    effect, seen,   count, true,  true,           true};
    };
    const QByteArray digest = "uniquejobs:1ab51d398abfa77a6a4d0f4d5d0aa6c5";
    const QByteArray tail = "23456789012345678901234";
    const QByteArray value = R"( "\xff)" + tail + R"(" PX 600000)";
    return {
        release("redisson-lock", "invoice",
                "HSET invoice " + uuid(0) + ":47 1 | PEXPIRE invoice 600000",
                "owner=" + uuid(0) + ":47", "EXISTS invoice", "0"),
        release("redisson-permit-semaphore", "tickets",
                R"(SET tickets 1 | ZADD {tickets}:timeout {ms+600000} "\x01\x01\x01\x01\x01\x01)"
                R"(\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01")",
                "owner=" + QByteArray(32, '0').replace("00", "01"), "GET tickets", "2"),
        release("redisson-semaphore", "seats", "SET seats 1", "permits=2", "GET seats", "3", 2),
        release("symfony-lock", "report",
                "ZADD report {ms+600000} " + token +
                    " {ms+600000} __write__ | "
                    "PEXPIREAT report {ms+600000}",
                "owner=" + token, "EXISTS report", "0", 2),
        release("distributedlock-net-rw", "book", "SET book.writer " + dotnet + " PX 600000",
                "owner=" + dotnet, "EXISTS book.writer", "0"),
        release("distributedlock-net-semaphore", "printers",
                "ZADD printers {ms+600000} " + dotnet + " | PEXPIRE printers 1800000",
                "owner=" + dotnet, "EXISTS printers", "0"),
        release("laravel-funnel", "shop_database_export",
                "SET shop_database_export1 p5XWtYlOHhbNnqYzAbCd PX 600000",
                "owner=p5XWtYlOHhbNnqYzAbCd", "EXISTS shop_database_export1", "0"),
        release("ruby-redis-semaphore", "gpu",
                "SET SEMAPHORE:gpu:EXISTS 1 | SET SEMAPHORE:gpu:VERSION 1 | "
                "RPUSH SEMAPHORE:gpu:AVAILABLE 1 | HSET SEMAPHORE:gpu:GRABBED 0 1795223340.5",
                "owner=0", "LRANGE SEMAPHORE:gpu:AVAILABLE 0 -1", "0 1"),
        release("sidekiq-unique-jobs", "uniquejobs:1ab51d398abfa77a6a4d0f4d5d0aa6c5",
                "HSET " + digest + ":LOCKED 1ab51d398abfa77a6a4d0f4d 1595000000.5", "",
                "EXISTS " + digest + ":LOCKED", "0"),
        release("rueidislock", "import",
                "SET rueidislock:0:import" + value + " | SET rueidislock:1:import" + value,
                "owner=ff" + tail.toHex(), "EXISTS rueidislock:0:import rueidislock:1:import", "0",
                2),
    };
}

} // namespace lk::test
