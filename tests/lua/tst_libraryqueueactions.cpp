// SPDX-License-Identifier: GPL-3.0-or-later
#include "actionrunner.h"
#include "tests/support/testprogram.h"

using namespace lk;

namespace {

QByteArray rqKeys(const QByteArray& ids)
{
    QByteArray keys = "rq:queue:q rq:queues rq:wip:q rq:scheduled:q rq:failed:q rq:finished:q "
                      "rq:canceled:q";
    for (const QByteArray& id : ids.split(' '))
        keys += " rq:job:" + id + " rq:results:" + id + " rq:job:" + id +
                ":dependents rq:job::" + id + ":dependencies rq:executions:" + id + " rq:worker:w";
    return keys;
}

const QByteArray rqJobs = "HSET rq:job:a status x exc_info e | HSET rq:job:b status x | ";
const QByteArray rqFailed = rqJobs + "ZADD rq:failed:q 5 a 6 b | PEXPIRE rq:job:a 90000 | ";
const QByteArray rqLater = rqJobs + "ZADD rq:scheduled:q 5 a | ";
const QByteArray rqStarted = rqJobs + "ZADD rq:wip:q {s-5} a {s+60} b | ";

const QByteArray rqWaiting =
    "SADD rq:job:a:dependents d | ZADD rq:deferred:q 1 d 2 e | HSET rq:job:d status deferred "
    "allow_dependency_failures 1 | HSET rq:job:e status deferred allow_dependency_failures 0 | "
    "HSET rq:job:f status finished | ";
const QByteArray rqDependents = " rq:job:d rq:deferred:q rq:job:e rq:job:f";

// The queue, the set of queues, then what holds the jobs.
const QByteArray sets = "queue:q queues retry";
const QByteArray retries = "ZADD retry 5 a 6 b | SADD queues p | RPUSH queue:q z | ";
const QByteArray lists = "queue:q queues working:1 heartbeat:1";
const QByteArray working = "RPUSH working:1 a b | RPUSH queue:q z | ";

const QByteArray laravelKeys = "queues:q queues:q:delayed queues:q:reserved queues:q:notify";
const QByteArray laravel =
    "ZADD queues:q:delayed {s+60} a | ZADD queues:q:reserved {s-5} b {s+60} c"
    " | RPUSH queues:q z | RPUSH queues:q:notify 1 | ";

const QByteArray celeryKeys = "unacked unacked_index celery";
const QByteArray celery = "HSET unacked t1 [m1,e,r] t2 [m2,e,r] | ZADD unacked_index 5 t1 6 t2 | "
                          "RPUSH celery z | ";

const QByteArray stream = "XADD s 1-1 f v | XADD s 1-2 f v | XADD s 1-3 f v | "
                          "XGROUP CREATE s g 0 | XREADGROUP GROUP g one COUNT 2 STREAMS s > | "
                          "XCLAIM s g one 0 1-1 IDLE 60000 JUSTID | ";

const ActionCases cases{
    {"retry both", "rq-jobs", rqFailed + "RPUSH rq:queue:q z", rqKeys("a b"), "retry now a b",
     "done 2 11", "conflict", "LRANGE rq:queue:q 0 -1", "z a b"},
    {"retry one", "rq-jobs", rqFailed, rqKeys("a c"), "retry now a c", "done 1 10", "conflict",
     "HMGET rq:job:a status enqueued_at exc_info", R"(queued now "x\x9c\x03\x00\x00\x00\x00\x01")"},
    {"retried jobs do not expire", "rq-jobs", rqFailed, rqKeys("a"), "retry now a", "done 1 1",
     "conflict", "TTL rq:job:a", "-1"},
    {"retry tells of the queue", "rq-jobs", rqFailed, rqKeys("a"), "retry now a", "done 1 1",
     "conflict", "SMEMBERS rq:queues", "rq:queue:q"},
    {"retry twice the same", "rq-jobs", rqFailed, rqKeys("a a"), "retry now a a", "done 1 10",
     "conflict"},
    {"retry what is not failed", "rq-jobs", rqLater, rqKeys("a"), "retry now a", "conflict"},
    {"retry without its hash", "rq-jobs", "ZADD rq:failed:q 5 a", rqKeys("a"), "retry now a",
     "conflict"},
    {"promote", "rq-jobs", rqLater, rqKeys("a"), "promote now a", "done 1 1", "conflict",
     "LRANGE rq:queue:q 0 -1", "a"},
    {"promote what is failed", "rq-jobs", rqFailed, rqKeys("a"), "promote now a", "conflict"},
    {"requeue", "rq-jobs", rqStarted, rqKeys("a"), "requeue now a", "done 1 1", "conflict",
     "ZRANGE rq:wip:q 0 -1", "b"},
    {"requeue of RQ 2", "rq-jobs", rqJobs + "ZADD rq:wip:q 5 a:x1 | ZADD rq:executions:a 5 x1",
     rqKeys("a"), "requeue now a", "done 1 1", "conflict", "EXISTS rq:wip:q rq:executions:a", "0"},
    {"requeue with a living worker", "rq-jobs", rqStarted, rqKeys("b"), "requeue now b",
     "conflict"},
    {"requeue with a worker that is gone", "rq-jobs", rqStarted + "HSET rq:job:b worker_name w",
     rqKeys("b"), "requeue now b", "done 1 1", "conflict", "ZRANGE rq:wip:q 0 -1", "a"},
    {"requeue with a worker that is there", "rq-jobs",
     rqStarted + "HSET rq:job:b worker_name w | HSET rq:worker:w birth 1", rqKeys("b"),
     "requeue now b", "conflict"},
    {"requeue with another worker", "rq-jobs", rqStarted + "HSET rq:job:b worker_name v",
     rqKeys("b"), "requeue now b", "conflict"},
    {"remove failed", "rq-jobs", rqFailed + "XADD rq:results:a 1-1 type 2", rqKeys("a"),
     "remove now a", "done 1 1", "conflict", "EXISTS rq:job:a rq:results:a", "1"},
    {"remove queued", "rq-jobs", rqJobs + "RPUSH rq:queue:q a b", rqKeys("a"), "remove now a",
     "done 1 1", "conflict", "LRANGE rq:queue:q 0 -1", "b"},
    {"remove what is started", "rq-jobs", rqStarted, rqKeys("a"), "remove now a", "conflict"},
    {"fail", "rq-jobs", rqStarted, rqKeys("a"), "fail now why 1 a 0", "done 1 1", "conflict",
     "HMGET rq:job:a status exc_info", "failed why"},
    {"fail with retries left", "rq-jobs", rqStarted + "HSET rq:job:a retries_left 2", rqKeys("a"),
     "fail now why 1 a 0", "done 1 1", "conflict", "HMGET rq:job:a status retries_left",
     "queued 1"},
    {"fail with retries left, into the queue", "rq-jobs",
     rqStarted + "HSET rq:job:a retries_left 2", rqKeys("a"), "fail now why 1 a 0", "done 1 1",
     "conflict", "LRANGE rq:queue:q 0 -1", "a"},
    {"fail with a retry in a while", "rq-jobs",
     rqStarted + "HSET rq:job:a retries_left 1 retry_intervals [5,600]", rqKeys("a"),
     "fail now why 1 a 0", "done 1 1", "conflict", "ZCOUNT rq:scheduled:q {s+590} {s+610}", "1"},
    {"fail queues who allows it", "rq-jobs", rqStarted + rqWaiting, rqKeys("a") + rqDependents,
     "fail now why 1 a 2 d d 14\\x201\\x2015\\x2017 e e 16\\x201\\x2015", "done 1 1", "conflict",
     "LRANGE rq:queue:q 0 -1", "d"},
    {"fail leaves who does not", "rq-jobs", rqStarted + rqWaiting, rqKeys("a") + rqDependents,
     "fail now why 1 a 2 d d 14\\x201\\x2015\\x2017 e e 16\\x201\\x2015", "done 1 1", "conflict",
     "ZRANGE rq:deferred:q 0 -1", "e"},
    {"fail leaves who waits for another", "rq-jobs",
     rqStarted + rqWaiting + "HSET rq:job:f status started", rqKeys("a") + rqDependents,
     "fail now why 1 a 1 d d 14\\x201\\x2015\\x2017", "done 1 1", "conflict",
     "HGET rq:job:d status", "deferred"},
    {"a string", "rq-jobs", rqFailed + "SET rq:queue:q x", rqKeys("a"), "retry now a",
     "refused type"},
    {"no verb", "rq-jobs", rqFailed, rqKeys("a"), "shout now a", "refused argument"},
    {"no job", "rq-jobs", rqFailed, rqKeys("a"), "retry now", "refused argument"},

    {"push both", "sidekiq-jobs", retries, sets, "push q 3 a A 3 b B", "done 2 11", "conflict",
     "LRANGE queue:q 0 -1", "B A z"},
    {"push tells of the queue", "sidekiq-jobs", retries, sets, "push q 3 a A", "done 1 1",
     "conflict", "SISMEMBER queues q", "1"},
    {"push what has changed", "sidekiq-jobs", retries, sets, "push q 3 c C", "conflict"},
    {"push out of a list", "sidekiq-jobs", working, lists, "push q 3 a A", "conflict"},
    {"remove out of a set", "sidekiq-jobs", retries, sets, "remove q 3 a x", "done 1 1", "conflict",
     "ZRANGE retry 0 -1", "b"},
    {"remove out of a list", "sidekiq-jobs", working, lists, "remove q 3 a x", "done 1 1",
     "conflict", "LRANGE working:1 0 -1", "b"},
    {"requeue to the back", "sidekiq-jobs", working, lists, "requeue q 3 a A", "done 1 1",
     "conflict", "LRANGE queue:q 0 -1", "A z"},
    {"requeue with a heartbeat", "sidekiq-jobs", working + "SET heartbeat:1 1", lists,
     "requeue q 3 a A", "conflict"},
    {"requeue without a place for one", "sidekiq-jobs", working, "queue:q queues working:1",
     "requeue q 3 a A", "conflict"},
    {"a string", "sidekiq-jobs", retries + "SET queue:q x", sets, "push q 3 a A", "refused type"},
    {"no verb", "sidekiq-jobs", retries, sets, "shout q 3 a A", "refused argument"},
    {"half a job", "sidekiq-jobs", retries, sets, "push q 3 a", "refused argument"},

    {"promote", "laravel-jobs", laravel, laravelKeys, "promote a", "done 1 1", "conflict",
     "LRANGE queues:q 0 -1", "z a"},
    {"promote wakes", "laravel-jobs", laravel, laravelKeys, "promote a", "done 1 1", "conflict",
     "LLEN queues:q:notify", "2"},
    {"requeue", "laravel-jobs", laravel, laravelKeys, "requeue b", "done 1 1", "conflict",
     "LRANGE queues:q 0 -1", "z b"},
    {"requeue in its time", "laravel-jobs", laravel, laravelKeys, "requeue c", "conflict"},
    {"remove", "laravel-jobs", laravel, laravelKeys, "remove z a", "done 2 11", "conflict",
     "EXISTS queues:q queues:q:delayed", "0"},
    {"remove what is reserved", "laravel-jobs", laravel, laravelKeys, "remove b", "conflict"},
    {"a string", "laravel-jobs", laravel + "SET queues:q x", laravelKeys, "promote a",
     "refused type"},
    {"no verb", "laravel-jobs", laravel, laravelKeys, "shout a", "refused argument"},

    {"restore both", "celery-jobs", celery, celeryKeys, "restore t1 m1 M1 3 t2 m2 M2 3",
     "done 2 11", "refused missing", "LRANGE celery 0 -1", "z M1 M2"},
    {"restored is not taken", "celery-jobs", celery, celeryKeys, "restore t1 m1 M1 3", "done 1 1",
     "conflict", "ZRANGE unacked_index 0 -1", "t2"},
    {"restore to two queues", "celery-jobs", celery, celeryKeys + " other9",
     "restore t1 m1 M1 4\\x203", "done 1 1", "conflict", "LRANGE other9 0 -1", "M1"},
    {"restore to no queue", "celery-jobs", celery, celeryKeys, "restore t1 m1 M1 \"\"",
     "refused argument"},
    {"drop", "celery-jobs", celery, celeryKeys, "drop t1 m1 x \"\"", "done 1 1", "conflict",
     "LRANGE celery 0 -1", "z"},
    {"another message", "celery-jobs", celery, celeryKeys, "restore t1 m2 M2 3", "conflict"},
    {"acknowledged", "celery-jobs", celery, celeryKeys, "restore t3 m1 M1 3", "conflict"},
    {"nothing is taken", "celery-jobs", "", celeryKeys, "restore t1 m1 M1 3", "refused missing"},
    {"a string", "celery-jobs", celery + "SET celery x", celeryKeys, "restore t1 m1 M1 3",
     "refused type"},
    {"no verb", "celery-jobs", celery, celeryKeys, "shout t1 m1 M1 3", "refused argument"},

    {"again", "stream-jobs", stream, "s", "again g 1000 one 1-1", "done 1 1", "conflict",
     "XPENDING s g", "1 1-2 1-2 one 1"},
    {"again is new", "stream-jobs", stream, "s", "again g 1000 one 1-1", "done 1 1", "conflict",
     "XLEN s", "3"},
    {"again lately delivered", "stream-jobs", stream, "s", "again g 1000 one 1-2", "conflict"},
    {"again from another", "stream-jobs", stream, "s", "again g 1000 two 1-1", "conflict"},
    {"again what was not delivered", "stream-jobs", stream, "s", "again g 1000 one 1-3",
     "conflict"},
    {"again what was deleted", "stream-jobs", stream + "XDEL s 1-1 | ", "s", "again g 1000 one 1-1",
     "conflict"},
    {"drop both", "stream-jobs", stream, "s", "drop g 0 one 1-1 one 1-2", "done 2 11", "conflict",
     "XLEN s", "1"},
    {"no such group", "stream-jobs", stream, "s", "drop h 0 one 1-1", "conflict"},
    {"no stream", "stream-jobs", "", "s", "drop g 0 one 1-1", "refused missing"},
    {"a string", "stream-jobs", "SET s x", "s", "drop g 0 one 1-1", "refused type"},
    {"no verb", "stream-jobs", stream, "s", "shout g 0 one 1-1", "refused argument"},
};

} // namespace

class tst_LibraryQueueActions : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_old.pretendToBeOld();
        QVERIFY(m_redis.start() && m_old.start());
    }

    void scripts_data() { addCases(cases); }
    void scripts()
    {
        QFETCH(int, index);
        QFETCH(bool, old);
        checkCase(old ? m_old : m_redis, cases[size_t(index)]);
    }

private:
    ActionRunner m_redis;
    ActionRunner m_old;
};

LK_TEST(tst_LibraryQueueActions);
#include "tst_libraryqueueactions.moc"
