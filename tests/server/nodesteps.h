// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/server/actionsteps.h"

#include <vector>

// The keys of Node.js queues, as they write them, and each action on them.
namespace lk::test {

namespace library {

// In each of these one job has failed (1), one is due later (2), one has lost its worker (3), and
// one waits (4).

inline QByteArray beeQueue()
{
    const QByteArray job =
        R"( {\x22data\x22:{},\x22options\x22:{\x22timestamp\x22:1795223340117}})";
    return "SET bq:mail:id 4 | HSET bq:mail:jobs 1" + job + " 2" + job + " 3" + job + " 4" + job +
           " | SADD bq:mail:failed 1 | ZADD bq:mail:delayed {ms+600000} 2 | "
           "LPUSH bq:mail:active 3 | SADD bq:mail:stalling 3 | LPUSH bq:mail:waiting 4";
}

inline QByteArray kue()
{
    const auto job = [](const QByteArray& id, const QByteArray& state, const QByteArray& score) {
        const QByteArray member = " 01|" + id;
        return "HSET q:job:" + id + " type mail state " + state +
               " priority -5 data {} created_at {ms-9000} | ZADD q:jobs -5" + member +
               " | ZADD q:jobs:" + state + ' ' + score + member + " | ZADD q:jobs:mail:" + state +
               " -5" + member + " | ";
    };
    return job("1", "failed", "-5") + job("2", "delayed", "{ms+600000}") +
           job("3", "active", "{ms-5000}") + job("4", "inactive", "-5") +
           "SET q:ids 4 | SADD q:job:types mail";
}

inline QByteArray groupMq()
{
    const auto job = [](const QByteArray& id, const QByteArray& status) {
        return "HSET groupmq:mail:job:" + id + " id " + id + " groupId ada orderMs 100" + id +
               " score 100" + id + " status " + status + " data {} timestamp {ms-9000} | ";
    };
    return job("1", "failed") + job("2", "delayed") + job("3", "processing") + job("4", "waiting") +
           "HSET groupmq:mail:job:2 delayUntil {ms+600000} | SADD groupmq:mail:groups ada | "
           "ZADD groupmq:mail:failed {ms-500} 1 | ZADD groupmq:mail:delayed {ms+600000} 2 | "
           "ZADD groupmq:mail:g:ada 1002 2 1004 4 | ZADD groupmq:mail:processing {ms-5000} 3 | "
           "HSET groupmq:mail:processing:3 groupId ada deadlineAt {ms-5000} | "
           "RPUSH groupmq:mail:g:ada:active 3";
}

inline QByteArray rsmqId(char last)
{
    return "hoe2nw3slqdLf274RGv4FZZhmbd80LE" + QByteArray(1, last);
}

// One message can be received (a), one is at a worker (b), one was sent with a delay (c).
inline QByteArray rsmq()
{
    const QByteArray a = rsmqId('a');
    const QByteArray b = rsmqId('b');
    const QByteArray c = rsmqId('c');
    return "HSET rsmq:mail:Q vt 30 delay 0 maxsize 65536 " + a + " x " + b + " y " + c + " z " + b +
           ":rc 1 " + b + ":fr {ms-500} | ZADD rsmq:mail {ms-5000} " + a + " {ms+300000} " + b +
           " {ms+600000} " + c;
}

// The worker of the one in progress is silent.
inline QByteArray resque()
{
    const QByteArray job = R"({\x22class\x22:\x22Mail\x22,\x22args\x22:[)";
    const QByteArray worker = "web-1:77:mail";
    return "SADD resque:queues mail | RPUSH resque:queue:mail " + job +
           "4]} | RPUSH resque:failed " +
           R"({\x22queue\x22:\x22mail\x22,\x22error\x22:\x22full\x22,\x22payload\x22:)" + job +
           "1]}} | RPUSH resque:delayed:{s+600} " + job + R"(2],\x22queue\x22:\x22mail\x22})" +
           " | ZADD resque:delayed_queue_schedule {s+600} {s+600} | SADD resque:workers " + worker +
           " | SET resque:worker:" + worker + R"( {\x22queue\x22:\x22mail\x22,\x22payload\x22:)" +
           job + R"(3]}} | SET resque:worker:ping:web-1:77 {\x22time\x22:{s-900}})";
}

} // namespace library

inline std::vector<Step> nodeQueueSteps()
{
    using namespace library;
    const QByteArray bees = "LRANGE bq:mail:waiting 0 -1";
    const QByteArray kues = "ZRANGE q:jobs:mail:inactive 0 -1";
    const QByteArray messages = "ZRANGE rsmq:mail 0 -1";
    const auto all = [](const char* layout, const QByteArray& setup, const char* action,
                        const QByteArray& effect, const QByteArray& seen) {
        return Step{"", layout, "mail", setup, action, "all=", effect, seen, 1, true, true, true};
    };
    const auto pause = [](const QByteArray& setup, const char* action, const QByteArray& seen) {
        return Step{"",   "groupmq", "mail", setup, action, "", "EXISTS groupmq:mail:paused",
                    seen, 1,         true,   false, true};
    };
    return {
        all("bee-queue", beeQueue(), "queue.retry", bees, "1 4"),
        all("bee-queue", beeQueue(), "queue.promote", bees, "2 4"),
        all("bee-queue", beeQueue(), "queue.requeue", bees, "3 4"),
        all("bee-queue", beeQueue(), "queue.discard", "HKEYS bq:mail:jobs", "2 3 4"),
        all("rsmq", rsmq(), "queue.promote", messages,
            rsmqId('a') + ' ' + rsmqId('c') + ' ' + rsmqId('b')),
        all("rsmq", rsmq(), "queue.discard", messages, rsmqId('b') + ' ' + rsmqId('c')),
        all("kue", kue(), "queue.retry", kues, "01|1 01|4"),
        all("kue", kue(), "queue.promote", kues, "01|2 01|4"),
        all("kue", kue(), "queue.requeue", kues, "01|3 01|4"),
        all("kue", kue(), "queue.discard", "EXISTS q:job:1 q:jobs:failed q:jobs:mail:failed", "0"),
        all("resque", resque(), "queue.retry", "LLEN resque:queue:mail | EXISTS resque:failed",
            "2 0"),
        all("resque", resque(), "queue.promote",
            "LLEN resque:queue:mail | EXISTS resque:delayed_queue_schedule", "2 0"),
        all("resque", resque(), "queue.requeue", "LLEN resque:queue:mail | EXISTS resque:workers",
            "2 0"),
        all("resque", resque(), "queue.discard", "LLEN resque:queue:mail | EXISTS resque:failed",
            "1 0"),
        all("groupmq", groupMq(), "queue.retry", "ZRANGE groupmq:mail:g:ada 0 -1", "1 2 4"),
        all("groupmq", groupMq(), "queue.promote", "EXISTS groupmq:mail:delayed", "0"),
        all("groupmq", groupMq(), "queue.requeue", "ZRANGE groupmq:mail:g:ada 0 -1", "2 3 4"),
        all("groupmq", groupMq(), "queue.discard", "EXISTS groupmq:mail:job:1 groupmq:mail:failed",
            "0"),
        pause(groupMq(), "queue.pause", "1"),
        pause(groupMq() + " | SET groupmq:mail:paused 1", "queue.resume", "0"),
    };
}

} // namespace lk::test
