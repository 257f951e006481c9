// SPDX-License-Identifier: GPL-3.0-or-later
#include "actionrunner.h"
#include "tests/support/testprogram.h"

using namespace lk;

namespace {

const QByteArray beeKeys = "q:waiting q:active q:delayed q:failed q:succeeded q:stalling "
                           "q:stallBlock q:jobs";
const QByteArray bee = "HSET q:jobs 1 {} 2 {} 3 {} | RPUSH q:waiting 9 | SADD q:failed 1 2 | ";
const QByteArray beeActive = "HSET q:jobs 1 {} 2 {} | RPUSH q:active 2 1 | SADD q:stalling 1 | ";

const QByteArray rsmq = "ZADD m {ms-5000} seen {ms+60000} taken {ms+90000} later | "
                        "HSET m:Q vt 30 seen a taken b taken:rc 2 taken:fr 5 later c | ";

QByteArray kueKeys(std::initializer_list<const char*> ids)
{
    QByteArray keys = "q:jobs q:jobs:inactive q:jobs:active q:jobs:delayed q:jobs:failed "
                      "q:jobs:complete";
    for (const QByteArray id : ids) {
        keys += " q:job:" + id + " q:job:" + id + ":log";
        for (const char* state : {"inactive", "active", "delayed", "failed", "complete"})
            keys += QByteArray(" q:jobs:mail:") + state;
        keys += " q:mail:jobs";
    }
    return keys;
}

QByteArray kueJob(const QByteArray& id, const QByteArray& state, const QByteArray& score)
{
    const QByteArray member = " 01|" + id;
    return "HSET q:job:" + id + " type mail priority -5 state " + state + " | ZADD q:jobs -5" +
           member + " | ZADD q:jobs:" + state + ' ' + score + member +
           " | ZADD q:jobs:mail:" + state + " -5" + member + " | ";
}

QByteArray groupKeys(const QByteArray& id, const QByteArray& group)
{
    const QByteArray g = "g:g:" + group;
    return "g:ready g:processing g:delayed g:failed g:completed g:groups g:job:" + id +
           " g:processing:" + id + " g:unique:" + id + ' ' + g + ' ' + g + ":active";
}

const QByteArray groupJob = "HSET g:job:1 groupId a score 7 orderMs 5 status ";
const QByteArray groupLater = groupJob +
                              "delayed delayUntil 9 | ZADD g:delayed 9 1 | ZADD g:g:a 7 1 | "
                              "SADD g:groups a | ";
const QByteArray groupActive = groupJob + "processing | HSET g:processing:1 groupId a | "
                                          "RPUSH g:g:a:active 1 | ZADD g:g:a 8 2 | ";

const QByteArray groupFailed = groupJob + "failed finishedOn 9 | ZADD g:failed 9 1 | ";

const QByteArray resqueKeys = "r:queue:m r:queues r:failed r:delayed_queue_schedule r:workers "
                              "r:workers:heartbeat r:stat:failed";
const QByteArray resqueLater = resqueKeys + " r:delayed:99 r:timestamps:job";
const QByteArray resqueBusy = resqueKeys + " r:worker:h:1:m r:worker:h:1:m:started "
                                           "r:worker:ping:h:1 r:stat:processed:h:1:m "
                                           "r:stat:failed:h:1:m r:stat:processed:h:1 "
                                           "r:stat:failed:h:1";
const QByteArray later = "RPUSH r:delayed:99 job | ZADD r:delayed_queue_schedule 99 99 | "
                         "SADD r:timestamps:job delayed:99 | ";
const QByteArray busy = "SADD r:workers h:1:m | SET r:worker:h:1:m on | "
                        "SET r:worker:h:1:m:started 5 | SET r:stat:failed:h:1 3 | ";
constexpr auto silent = R"(SET r:worker:ping:h:1 {\x22time\x22:{s-600}})";

const ActionCases cases{
    {"both", "bee-jobs", bee, beeKeys, "retry 1 2", "done 2 11", "conflict",
     "LRANGE q:waiting 0 -1", "2 1 9"},
    {"one is not failed", "bee-jobs", bee, beeKeys, "retry 3 1", "done 1 01", "conflict",
     "SMEMBERS q:failed", "2"},
    {"without its job", "bee-jobs", "SADD q:failed 7 | HSET q:jobs 1 {}", beeKeys, "retry 7",
     "conflict"},
    {"promote", "bee-jobs", bee + "ZADD q:delayed 5 3", beeKeys, "promote 3", "done 1 1",
     "conflict", "LRANGE q:waiting 0 -1", "3 9"},
    {"promote what is not delayed", "bee-jobs", bee, beeKeys, "promote 1", "conflict"},
    {"requeue", "bee-jobs", beeActive, beeKeys, "requeue 1", "done 1 1", "conflict",
     "LRANGE q:active 0 -1", "2"},
    {"requeue one that was seen alive", "bee-jobs", beeActive, beeKeys, "requeue 2", "conflict"},
    {"requeue before the interval is over", "bee-jobs", beeActive + "SET q:stallBlock 1 PX 60000",
     beeKeys, "requeue 1", "conflict"},
    {"remove failed", "bee-jobs", bee, beeKeys, "remove 1", "done 1 1", "conflict", "HKEYS q:jobs",
     "2 3"},
    {"remove waiting", "bee-jobs", bee + "RPUSH q:waiting 3", beeKeys, "remove 3", "done 1 1",
     "conflict", "LRANGE q:waiting 0 -1", "9"},
    {"remove in progress", "bee-jobs", beeActive, beeKeys, "remove 1", "conflict"},
    {"twice the same", "bee-jobs", bee, beeKeys, "retry 1 1", "done 1 10", "conflict",
     "LRANGE q:waiting 0 -1", "1 9"},
    {"wrong type", "bee-jobs", "SET q:failed x", beeKeys, "retry 1", "refused type"},
    {"no verb", "bee-jobs", bee, beeKeys, "shout 1", "refused argument"},
    {"no job", "bee-jobs", bee, beeKeys, "retry", "refused argument"},

    {"promote", "rsmq-messages", rsmq, "m m:Q", "promote delayed later", "done 1 1", "conflict",
     "ZRANGE m 0 -1", "seen later taken"},
    {"promote what a worker has", "rsmq-messages", rsmq, "m m:Q", "promote delayed taken",
     "conflict"},
    {"promote what a worker has and lost", "rsmq-messages", rsmq, "m m:Q",
     "promote in-flight taken later", "done 1 10", "conflict", "ZRANGE m 0 -1", "seen taken later"},
    {"remove", "rsmq-messages", rsmq, "m m:Q", "remove visible seen later", "done 1 10", "conflict",
     "HLEN m:Q", "5"},
    {"remove what a worker has", "rsmq-messages", rsmq, "m m:Q", "remove in-flight taken",
     "done 1 1", "conflict", "HLEN m:Q", "3"},
    {"remove what is not there", "rsmq-messages", rsmq, "m m:Q", "remove visible no", "conflict"},
    {"wrong type", "rsmq-messages", "SET m x", "m m:Q", "remove visible seen", "refused type"},
    {"no verb", "rsmq-messages", rsmq, "m m:Q", "shout visible seen", "refused argument"},
    {"no such state", "rsmq-messages", rsmq, "m m:Q", "remove dead seen", "refused argument"},
    {"promote what is visible", "rsmq-messages", rsmq, "m m:Q", "promote visible seen",
     "refused argument"},

    {"retry", "kue-jobs", kueJob("1", "failed", "-5") + kueJob("2", "failed", "-5"),
     kueKeys({"1", "2"}), "retry q:events 1 mail 2 mail", "done 2 11", "conflict",
     "ZRANGE q:jobs:inactive 0 -1 WITHSCORES", "01|1 -5 01|2 -5"},
    {"retry wakes a worker", "kue-jobs", kueJob("1", "failed", "-5"), kueKeys({"1"}),
     "retry q:events 1 mail", "done 1 1", "conflict", "LRANGE q:mail:jobs 0 -1", "1"},
    {"retry of another type", "kue-jobs", kueJob("1", "failed", "-5"), kueKeys({"1"}),
     "retry q:events 1 image", "conflict"},
    {"promote", "kue-jobs", kueJob("1", "delayed", "{ms+90000}"), kueKeys({"1"}),
     "promote q:events 1 mail", "done 1 1", "conflict", "HGET q:job:1 state", "inactive"},
    {"requeue", "kue-jobs", kueJob("1", "active", "{ms-5000}"), kueKeys({"1"}),
     "requeue q:events 1 mail", "done 1 1", "conflict", "HGET q:job:1 attempts", "1"},
    {"requeue one that has time", "kue-jobs", kueJob("1", "active", "{ms+50000}"), kueKeys({"1"}),
     "requeue q:events 1 mail", "conflict"},
    {"requeue one without an end", "kue-jobs", kueJob("1", "active", "-5"), kueKeys({"1"}),
     "requeue q:events 1 mail", "conflict"},
    {"remove", "kue-jobs", kueJob("1", "complete", "-5") + "RPUSH q:job:1:log a", kueKeys({"1"}),
     "remove q:events 1 mail", "done 1 1", "conflict",
     "EXISTS q:job:1 q:job:1:log q:jobs q:jobs:complete q:jobs:mail:complete", "0"},
    {"remove in progress", "kue-jobs", kueJob("1", "active", "-5"), kueKeys({"1"}),
     "remove q:events 1 mail", "conflict"},
    {"wrong type", "kue-jobs", kueJob("1", "failed", "-5") + "SET q:mail:jobs x", kueKeys({"1"}),
     "retry q:events 1 mail", "refused type"},
    {"no verb", "kue-jobs", kueJob("1", "failed", "-5"), kueKeys({"1"}), "shout q:events 1 mail",
     "refused argument"},
    {"no job", "kue-jobs", kueJob("1", "failed", "-5"), kueKeys({}), "retry q:events",
     "refused argument"},

    {"retry", "groupmq-jobs", groupFailed, groupKeys("1", "a"), "retry 1 a", "done 1 1", "conflict",
     "ZRANGE g:g:a 0 -1 WITHSCORES", "1 7"},
    {"retry leaves nothing out", "groupmq-jobs", groupFailed, groupKeys("1", "a"), "retry 1 a",
     "done 1 1", "conflict", "EXISTS g:ready g:groups g:unique:1 g:failed", "3"},
    {"retry what is delayed", "groupmq-jobs", groupLater, groupKeys("1", "a"), "retry 1 a",
     "conflict"},
    {"promote", "groupmq-jobs", groupLater, groupKeys("1", "a"), "promote 1 a", "done 1 1",
     "conflict", "ZRANGE g:ready 0 -1 WITHSCORES", "a 7"},
    {"promote of another group", "groupmq-jobs", groupLater, groupKeys("1", "b"), "promote 1 b",
     "conflict"},
    {"requeue", "groupmq-jobs", groupActive + "ZADD g:processing {ms-5000} 1", groupKeys("1", "a"),
     "requeue 1 a", "done 1 1", "conflict", "ZRANGE g:g:a 0 -1", "1 2"},
    {"requeue counts", "groupmq-jobs", groupActive + "ZADD g:processing {ms-5000} 1",
     groupKeys("1", "a"), "requeue 1 a", "done 1 1", "conflict",
     "HMGET g:job:1 status stalledCount", "waiting 1"},
    {"requeue what only holds its group", "groupmq-jobs", groupActive + "DEL g:processing",
     groupKeys("1", "a"), "requeue 1 a", "done 1 1", "conflict", "ZRANGE g:ready 0 -1", "a"},
    {"requeue what nobody has", "groupmq-jobs", groupActive + "DEL g:processing g:g:a:active",
     groupKeys("1", "a"), "requeue 1 a", "conflict"},
    {"requeue before its deadline", "groupmq-jobs", groupActive + "ZADD g:processing {ms+50000} 1",
     groupKeys("1", "a"), "requeue 1 a", "conflict"},
    {"remove the group's last", "groupmq-jobs", groupLater + "ZADD g:ready 7 a",
     groupKeys("1", "a"), "remove 1 a", "done 1 1", "conflict",
     "EXISTS g:job:1 g:g:a g:ready g:groups g:delayed", "0"},
    {"remove in progress", "groupmq-jobs", groupActive + "ZADD g:processing {ms+50000} 1",
     groupKeys("1", "a"), "remove 1 a", "conflict"},
    {"wrong type", "groupmq-jobs", groupLater + "SET g:ready x", groupKeys("1", "a"), "promote 1 a",
     "refused type"},
    {"no verb", "groupmq-jobs", groupLater, groupKeys("1", "a"), "shout 1 a", "refused argument"},
    {"no group", "groupmq-jobs", groupLater, groupKeys("1", "a"), "promote 1", "refused argument"},
    {"retry", "resque-jobs", "RPUSH r:failed e1 e2", resqueKeys, "retry failed m - e1 job1",
     "done 1 1", "conflict", "LRANGE r:queue:m 0 -1", "job1"},
    {"one has been retried", "resque-jobs", "RPUSH r:failed e1 e2", resqueKeys,
     "retry failed m - e9 job9 - e2 job2", "done 1 01", "conflict", "LRANGE r:failed 0 -1", "e1"},
    {"retry names the queue", "resque-jobs", "RPUSH r:failed e1", resqueKeys,
     "retry failed m - e1 job1", "done 1 1", "conflict", "SMEMBERS r:queues", "m"},
    {"promote", "resque-jobs", later, resqueLater, "promote delayed m 99 job job", "done 1 1",
     "conflict", "LRANGE r:queue:m 0 -1", "job"},
    {"promote the second's last", "resque-jobs", later, resqueLater, "promote delayed m 99 job job",
     "done 1 1", "conflict", "EXISTS r:delayed:99 r:delayed_queue_schedule r:timestamps:job", "0"},
    {"promote one of the second", "resque-jobs", later + "RPUSH r:delayed:99 other", resqueLater,
     "promote delayed m 99 job job", "done 1 1", "conflict", "ZRANGE r:delayed_queue_schedule 0 -1",
     "99"},
    {"remove one of two alike", "resque-jobs", later + "RPUSH r:delayed:99 job", resqueLater,
     "remove delayed m 99 job job", "done 1 1", "done 1 1", "EXISTS r:queue:m", "0"},
    {"remove failed", "resque-jobs", "RPUSH r:failed e1 e2", resqueKeys, "remove failed m - e1 -",
     "done 1 1", "conflict", "LRANGE r:failed 0 -1", "e2"},
    {"remove waiting", "resque-jobs", "RPUSH r:queue:m a b", resqueKeys, "remove waiting m - a -",
     "done 1 1", "conflict", "LRANGE r:queue:m 0 -1", "b"},
    {"requeue", "resque-jobs", busy + silent, resqueBusy, "requeue working m h:1:m on job",
     "done 1 1", "conflict", "LRANGE r:queue:m 0 -1", "job"},
    {"requeue forgets the worker", "resque-jobs", busy + silent, resqueBusy,
     "requeue working m h:1:m on job", "done 1 1", "conflict",
     "EXISTS r:workers r:worker:h:1:m r:worker:h:1:m:started r:worker:ping:h:1 r:stat:failed:h:1",
     "0"},
    {"requeue by its heartbeat", "resque-jobs",
     busy + "HSET r:workers:heartbeat h:1:m 2026-02-28T23:59:59+02:00", resqueBusy,
     "requeue working m h:1:m on job", "done 1 1", "conflict", "GET r:stat:failed", "1"},
    {"requeue by a heartbeat to come", "resque-jobs",
     busy + "HSET r:workers:heartbeat h:1:m 2099-02-28T23:59:59Z", resqueBusy,
     "requeue working m h:1:m on job", "conflict"},
    {"requeue of one that pings", "resque-jobs",
     busy + R"(SET r:worker:ping:h:1 {\x22time\x22:{s-60}})", resqueBusy,
     "requeue working m h:1:m on job", "conflict"},
    {"requeue of one that never did", "resque-jobs", busy, resqueBusy,
     "requeue working m h:1:m on job", "conflict"},
    {"requeue what it has no more", "resque-jobs", busy + silent, resqueBusy,
     "requeue working m h:1:m off job", "conflict"},
    {"remove in progress", "resque-jobs", busy + silent, resqueBusy,
     "remove working m h:1:m on job", "refused argument"},
    {"wrong type", "resque-jobs", "SET r:failed x", resqueKeys, "retry failed m - e1 job1",
     "refused type"},
    {"another state", "resque-jobs", later, resqueLater, "retry delayed m 99 job job",
     "refused argument"},
    {"no job", "resque-jobs", later, resqueKeys, "retry failed m", "refused argument"},
};

} // namespace

class tst_NodeJobActions : public QObject
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

LK_TEST(tst_NodeJobActions);
#include "tst_nodejobactions.moc"
