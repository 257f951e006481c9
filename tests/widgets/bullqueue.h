// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/redisserver.h"

#include <QDateTime>

namespace lk::test {

/// A queue as BullMQ 5 keeps it, "bull:email": one job in progress with its lock and one without,
/// two that wait, one delayed, and so many failed ones, every tenth with another error.
inline void fillWithBullQueue(RedisServer& server, int failed)
{
    const QByteArray now = QByteArray::number(QDateTime::currentMSecsSinceEpoch());
    const QByteArray due =
        QByteArray::number((QDateTime::currentMSecsSinceEpoch() + 3'600'000) * 4096);
    server.run(
        {"HSET", "bull:email:meta", "version", "bullmq:5.34.0", "opts.maxLenEvents", "10000"});
    server.run({"XADD", "bull:email:events", "*", "event", "added", "jobId", "a1"});
    const auto job = [&](const QByteArray& id, const QByteArray& name) {
        server.run({"HSET", "bull:email:" + id, "name", name, "data",
                    "{\"to\":\"S3CRET-" + id + "@example.org\"}", "opts", "{\"attempts\":3}",
                    "timestamp", now});
    };
    for (const char* id : {"a1", "a2"}) {
        job(id, "send");
        server.run({"HSET", QByteArray("bull:email:") + id, "processedOn", now, "pb", "worker-1"});
        server.run({"LPUSH", "bull:email:active", id});
    }
    server.run({"SET", "bull:email:a1:lock", "4f6c:1", "PX", "600000"});
    for (const char* id : {"w1", "w2"}) {
        job(id, "send");
        server.run({"LPUSH", "bull:email:wait", id});
    }
    job("d1", "digest");
    server.run({"ZADD", "bull:email:delayed", due, "d1"});
    server.run(
        {"EVAL",
         "for i = 1, tonumber(ARGV[1]) do "
         "local id = 'bull:email:' .. i "
         "local error = i % 10 == 0 and 'no such file' or 'mailbox full' "
         "redis.call('HSET', id, 'name', 'send', 'data', '{\"to\":\"S3CRET-' .. i .. '\"}', "
         "'opts', '{\"attempts\":3}', 'timestamp', ARGV[2], 'finishedOn', ARGV[2], 'atm', 3, "
         "'failedReason', error, "
         "'stacktrace', '[\"Error: ' .. error .. '\\\\n    at deliver (mail.js:4:2)\"]') "
         "redis.call('ZADD', 'bull:email:failed', ARGV[2] + i, i) end",
         "0", QByteArray::number(failed), now});
}

} // namespace lk::test
