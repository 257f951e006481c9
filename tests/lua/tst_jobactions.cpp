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

const QByteArray rqStarted = "HSET rq:job:a status started | HSET rq:job:b status started | "
                             "ZADD rq:wip:q {s-5} a {s+60} b | ";
const QByteArray rqEnded = "HSET rq:job:a ended_at 2026-11-01T00:00:00.000000Z | "
                           "HSET rq:job:b ended_at 2026-11-09T00:00:00.000000Z | "
                           "HSET rq:job:c status canceled | "
                           "ZADD rq:finished:q 5 a | ZADD rq:failed:q 6 b | "
                           "ZADD rq:canceled:q 7 c | ";
const QByteArray until5 = "2026-11-05T00:00:00.000000Z";

QByteArray asynqKeys(const QByteArray& ids)
{
    QByteArray keys = "q:pending q:active q:lease q:scheduled q:retry q:archived q:completed";
    for (const QByteArray& id : ids.split(' '))
        keys += " q:t:" + id;
    return keys;
}

const QByteArray tasks = "HSET q:t:a state pending | LPUSH q:pending a | "
                         "HSET q:t:b state retry | ZADD q:retry 9 b | "
                         "HSET q:t:c state active | LPUSH q:active c | "
                         "HSET q:t:d state archived | ZADD q:archived 100 d | "
                         "HSET q:t:e state archived unique_key k | ZADD q:archived 100 e | ";

const QByteArray retries = "ZADD retry 5 a 6 b | ZADD dead 1 z | ";

const QByteArray uniqueLock = "SET uniquejobs:d j1 | HSET uniquejobs:d:LOCKED j1 5 | "
                              "ZADD uniquejobs:digests 5 uniquejobs:d | ";
const QByteArray uniqueKeys = " uniquejobs:d uniquejobs:d:QUEUED uniquejobs:d:PRIMED "
                              "uniquejobs:d:LOCKED uniquejobs:d:INFO";

const ActionCases cases{
    {"fail", "rq-jobs", rqStarted, rqKeys("a"), "fail now why 1 a 0", "done 1 1", "conflict",
     "HMGET rq:job:a status exc_info", "failed why"},
    {"fail takes it out of the others", "rq-jobs", rqStarted, rqKeys("a"), "fail now why 1 a 0",
     "done 1 1", "conflict", "ZRANGE rq:wip:q 0 -1", "b"},
    {"fail is kept for a year", "rq-jobs", rqStarted, rqKeys("a"), "fail now why 1 a 0", "done 1 1",
     "conflict", "ZCOUNT rq:failed:q {s+31535990} {s+31536010}", "1"},
    {"fail is kept for ever", "rq-jobs", rqStarted + "HSET rq:job:a failure_ttl -1", rqKeys("a"),
     "fail now why 1 a 0", "done 1 1", "conflict", "ZRANGE rq:failed:q 0 -1 WITHSCORES", "a -1"},
    {"fail with a living worker", "rq-jobs", rqStarted, rqKeys("b"), "fail now why 1 b 0",
     "conflict"},
    {"fail what waits", "rq-jobs", "HSET rq:job:a status queued | RPUSH rq:queue:q a", rqKeys("a"),
     "fail now why 1 a 0", "conflict"},

    {"clean", "rq-jobs", rqEnded, rqKeys("a b c"), "clean " + until5 + " a b c", "done 1 100",
     "conflict", "EXISTS rq:job:a rq:finished:q rq:job:b rq:job:c", "2"},
    {"clean what is queued again", "rq-jobs",
     "HSET rq:job:a ended_at 2026-11-01T00:00:00.000000Z | RPUSH rq:queue:q a", rqKeys("a"),
     "clean " + until5 + " a", "conflict"},
    {"clean what was abandoned", "rq-jobs",
     "HSET rq:job:a ended_at \"\" failure_ttl 50 | ZADD rq:failed:q 150 a", rqKeys("a"),
     "clean " + until5 + "\\x20100 a", "done 1 1", "conflict", "EXISTS rq:job:a", "0"},
    {"clean what was abandoned later", "rq-jobs",
     "HSET rq:job:a ended_at \"\" failure_ttl 50 | ZADD rq:failed:q 151 a", rqKeys("a"),
     "clean " + until5 + "\\x20100 a", "conflict"},
    {"clean nothing", "rq-jobs", "", rqKeys("a"), "clean " + until5 + " a", "conflict"},

    {"archive what waits", "asynq-jobs", tasks, asynqKeys("a"), "archive a", "done 1 1", "conflict",
     "HGET q:t:a state", "archived"},
    {"archive what is retried later", "asynq-jobs", tasks, asynqKeys("b"), "archive b", "done 1 1",
     "conflict", "EXISTS q:retry", "0"},
    {"archive several", "asynq-jobs", tasks, asynqKeys("a b c d"), "archive a b c d", "done 2 1100",
     "conflict", "ZCARD q:archived", "4"},
    {"archive what is in progress", "asynq-jobs", tasks, asynqKeys("c"), "archive c", "conflict"},
    {"archive a string", "asynq-jobs", tasks + "SET q:completed x", asynqKeys("a"), "archive a",
     "refused type"},
    {"clean", "asynq-jobs", tasks, asynqKeys("d"), "clean\\x20100 d 0", "done 1 1", "conflict",
     "EXISTS q:t:d", "0"},
    {"clean what was archived later", "asynq-jobs", tasks, asynqKeys("d"), "clean\\x2099 d 0",
     "conflict"},
    {"clean with its unique key", "asynq-jobs", tasks + "SET k e", asynqKeys("e") + " k",
     "clean\\x20100 e 9", "done 1 1", "conflict", "EXISTS q:t:e k", "0"},
    {"clean with the unique key of another", "asynq-jobs", tasks + "SET k x", asynqKeys("e") + " k",
     "clean\\x20100 e 9", "done 1 1", "conflict", "GET k", "x"},
    {"clean with another unique key", "asynq-jobs", tasks, asynqKeys("e"), "clean\\x20100 e 0",
     "conflict"},
    {"clean without a moment", "asynq-jobs", tasks, asynqKeys("d"), "clean d 0",
     "refused argument"},

    {"kill", "sidekiq-kill", retries, "dead retry", "2 a \"\"", "done 1 1", "conflict",
     "ZRANGE dead 0 -1", "z a"},
    {"kill of two sets", "sidekiq-kill", retries + "ZADD schedule 7 c", "dead retry schedule",
     "2 a \"\" 3 c \"\" 2 x \"\"", "done 2 110", "conflict", "EXISTS schedule", "0"},
    {"kill the first", "sidekiq-kill", "ZADD retry 5 a", "dead retry", "2 a \"\"", "done 1 1",
     "conflict", "EXISTS retry", "0"},
    {"kill what is gone", "sidekiq-kill", retries, "dead retry", "2 x \"\"", "conflict"},
    {"kill out of the dead", "sidekiq-kill", retries, "dead retry", "1 z \"\"", "conflict"},
    {"kill of a list", "sidekiq-kill", "RPUSH retry a", "dead retry", "2 a \"\"", "refused type"},
    {"kill with its unique lock", "sidekiq-kill", retries + uniqueLock,
     "dead retry uniquejobs:digests" + uniqueKeys, "2 a 4\\x203\\x20j1\\x20uniquejobs:d",
     "done 1 1", "conflict", "EXISTS uniquejobs:digests uniquejobs:d uniquejobs:d:LOCKED", "0"},
    {"kill with the unique lock of another", "sidekiq-kill", retries + uniqueLock,
     "dead retry uniquejobs:digests" + uniqueKeys, "2 a 4\\x203\\x20j2\\x20uniquejobs:d",
     "done 1 1", "conflict", "EXISTS uniquejobs:digests uniquejobs:d uniquejobs:d:LOCKED", "3"},
    {"kill too little", "sidekiq-kill", retries, "dead retry", "2", "refused argument"},

    {"pause", "queue-flag", "", "q:paused", "pause 1", "done 1", "conflict 1", "GET q:paused", "1"},
    {"pause with the time", "queue-flag", "", "q:paused", "pause now", "done 1", "conflict 1",
     "STRLEN q:paused", "10"},
    {"resume", "queue-flag", "SET q:paused 5", "q:paused", "resume 1", "done 1", "conflict 0",
     "EXISTS q:paused", "0"},
    {"resume what goes on", "queue-flag", "", "q:paused", "resume 1", "conflict 0"},
    {"pause a list", "queue-flag", "RPUSH q:paused 1", "q:paused", "pause 1", "refused type"},
    {"no verb", "queue-flag", "", "q:paused", "stop 1", "refused argument"},

    {"push alone", "job-push", "RPUSH q z", "q", "LPUSH a", "done 1", "done 1", "LRANGE q 0 -1",
     "a z"},
    {"push with a hash and a set", "job-push", "", "q j s", "RPUSH a hash 4 f 1 g 2 member 1 q",
     "done 1", "conflict", "HGETALL j", "f 1 g 2"},
    {"push wakes", "job-push", "RPUSH q z", "q n", "RPUSH a wake 1 1", "done 1", "done 1", "LLEN n",
     "1"},
    {"push beside other messages", "job-push", "HSET m b 2", "q m", "RPUSH a field 2 a 1", "done 1",
     "conflict", "HLEN m", "2"},
    {"push what is there", "job-push", "HSET j f 1", "q j", "RPUSH a hash 2 f 2", "conflict"},
    {"push a message that is there", "job-push", "HSET m a 2", "q m", "RPUSH a field 2 a 1",
     "conflict"},
    {"push into a string", "job-push", "SET q x", "q", "LPUSH a", "refused type"},
    {"push beside a string", "job-push", "SET s x", "q s", "LPUSH a member 1 q", "refused type"},
    {"push at no end", "job-push", "", "q", "SADD a", "refused argument"},
    {"push with half a field", "job-push", "", "q j", "LPUSH a hash 3 f 1 g", "refused argument"},
    {"push with words left", "job-push", "", "q", "LPUSH a b", "refused argument"},
    {"push with words missing", "job-push", "", "q j", "LPUSH a hash 4 f 1", "refused argument"},

    {"add an entry", "stream-push", "XADD s 1-1 f v", "s", "f w g x", "done 1", "done 1", "XLEN s",
     "2"},
    {"add to no stream", "stream-push", "", "s", "f w", "refused missing"},
    {"add to a string", "stream-push", "SET s x", "s", "f w", "refused type"},
    {"add half a field", "stream-push", "XADD s 1-1 f v", "s", "f w g", "refused argument"},
};

} // namespace

class tst_JobActions : public QObject
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

LK_TEST(tst_JobActions);
#include "tst_jobactions.moc"
