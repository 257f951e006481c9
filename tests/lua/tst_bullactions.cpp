// SPDX-License-Identifier: GPL-3.0-or-later
#include "actionrunner.h"

using namespace lk;

namespace {

// BullMQ: the queue's own keys, then those of each job.
QByteArray mqKeys(const QByteArray& ids, const QByteArray& parts)
{
    QByteArray keys = "b:q:meta b:q:wait b:q:paused b:q:active b:q:prioritized b:q:pc b:q:marker "
                      "b:q:events b:q:delayed b:q:failed b:q:completed b:q:waiting-children "
                      "b:q:stalled b:q:repeat";
    for (const QByteArray& id : ids.split(' ')) {
        keys += " b:q:" + id;
        for (const QByteArray& part : parts.split(' '))
            keys += " b:q:" + id + ':' + part;
    }
    return keys;
}

QByteArray mqMoved(const QByteArray& ids)
{
    return mqKeys(ids, "lock");
}

QByteArray mqRemoved(const QByteArray& ids)
{
    return mqKeys(ids, "lock logs dependencies processed failed unsuccessful");
}

QByteArray bullKeys(const QByteArray& ids)
{
    QByteArray keys = "b:q:wait b:q:paused b:q:active b:q:delayed b:q:failed b:q:completed "
                      "b:q:priority b:q:stalled b:q:meta-paused";
    for (const QByteArray& id : ids.split(' '))
        keys += " b:q:" + id + " b:q:" + id + ":lock b:q:" + id + ":logs";
    return keys;
}

const QByteArray mq = "HSET b:q:meta version bullmq:5.1.0 opts.maxLenEvents 100 | ";
const QByteArray paused = "HSET b:q:meta paused 1 | ";
const QByteArray failed = "ZADD b:q:failed 5 1 6 2 | HSET b:q:1 name mail failedReason x "
                          "finishedOn 5 processedOn 4 | HSET b:q:2 name mail failedReason x | ";
const QByteArray later = "ZADD b:q:delayed 7 1 | HSET b:q:1 name mail delay 500 | ";
const QByteArray active = "RPUSH b:q:active 2 1 | HSET b:q:1 name mail | HSET b:q:2 name mail | "
                          "SET b:q:2:lock w:1 | SADD b:q:stalled 1 2 | ";
const QByteArray pauseKeys = "b:q:meta b:q:wait b:q:paused b:q:prioritized b:q:delayed b:q:marker "
                             "b:q:events";
const QByteArray bullPauseKeys = "b:q:wait b:q:paused b:q:meta-paused b:q:meta";

const ActionCases cases{
    {"both", "bullmq-jobs", mq + failed + "RPUSH b:q:wait 9", mqMoved("1 2"), "5 retry 1 2",
     "done 2 11", "conflict", "LRANGE b:q:wait 0 -1", "2 1 9"},
    {"one is not failed", "bullmq-jobs", mq + failed, mqMoved("1 7"), "5 retry 1 7", "done 1 10",
     "conflict", "HGETALL b:q:1", "name mail"},
    {"wakes a worker", "bullmq-jobs", mq + failed, mqMoved("1"), "5 retry 1", "done 1 1",
     "conflict", "ZRANGE b:q:marker 0 -1 WITHSCORES", "0 0"},
    {"of version 4 no marker", "bullmq-jobs", mq + failed, mqMoved("1"), "4 retry 1", "done 1 1",
     "conflict", "EXISTS b:q:marker", "0"},
    {"into a paused queue", "bullmq-jobs", mq + paused + failed, mqMoved("1"), "5 retry 1",
     "done 1 1", "conflict", "LRANGE b:q:paused 0 -1", "1"},
    {"into a paused queue of 6", "bullmq-jobs", mq + paused + failed, mqMoved("1"), "6 retry 1",
     "done 1 1", "conflict", "LRANGE b:q:wait 0 -1", "1"},
    {"by priority", "bullmq-jobs", mq + failed + "HSET b:q:1 priority 2", mqMoved("1"), "6 retry 1",
     "done 1 1", "conflict", "ZRANGE b:q:prioritized 0 -1 WITHSCORES", "1 8589934593"},
    {"last in, first out", "bullmq-jobs",
     mq + failed + "HSET b:q:1 opts {\\x22lifo\\x22:true} | RPUSH b:q:wait 9", mqMoved("1"),
     "5 retry 1", "done 1 1", "conflict", "LRANGE b:q:wait 0 -1", "9 1"},
    {"none is failed", "bullmq-jobs", mq + failed, mqMoved("3"), "5 retry 3", "conflict"},
    {"twice the same", "bullmq-jobs", mq + failed, mqMoved("1 1"), "5 retry 1 1", "done 1 10",
     "conflict", "LLEN b:q:wait", "1"},

    {"promote", "bullmq-jobs", mq + later + "RPUSH b:q:wait 0:99", mqMoved("1"), "5 promote 1",
     "done 1 1", "conflict", "LRANGE b:q:wait 0 -1", "1"},
    {"promote by priority", "bullmq-jobs", mq + later + "HSET b:q:1 priority 1 | SET b:q:pc 4",
     mqMoved("1"), "4 promote 1", "done 1 1", "conflict", "LRANGE b:q:wait 0 -1", "0:0"},
    {"promote what is not delayed", "bullmq-jobs", mq + failed, mqMoved("1"), "5 promote 1",
     "conflict"},

    {"requeue", "bullmq-jobs", mq + active + "RPUSH b:q:wait 9", mqMoved("1"), "5 requeue 1",
     "done 1 1", "conflict", "LRANGE b:q:wait 0 -1", "9 1"},
    {"requeue counts", "bullmq-jobs", mq + active, mqMoved("1"), "5 requeue 1", "done 1 1",
     "conflict", "HGET b:q:1 stc", "1"},
    {"requeue counts in 4", "bullmq-jobs", mq + active, mqMoved("1"), "4 requeue 1", "done 1 1",
     "conflict", "HGET b:q:1 stalledCounter", "1"},
    {"requeue with a living worker", "bullmq-jobs", mq + active, mqMoved("2"), "5 requeue 2",
     "conflict"},

    {"remove failed", "bullmq-jobs", mq + failed + "RPUSH b:q:1:logs a", mqRemoved("1"),
     "5 remove 1", "done 1 1", "conflict", "EXISTS b:q:1 b:q:1:logs", "0"},
    {"remove waiting", "bullmq-jobs", mq + "RPUSH b:q:wait 1 2 | HSET b:q:1 name x", mqRemoved("1"),
     "5 remove 1", "done 1 1", "conflict", "LRANGE b:q:wait 0 -1", "2"},
    {"remove in progress", "bullmq-jobs", mq + active, mqRemoved("1"), "5 remove 1", "conflict"},
    {"remove a child", "bullmq-jobs", mq + failed + "HSET b:q:1 parentKey b:p:1", mqRemoved("1"),
     "5 remove 1", "conflict"},
    {"remove a parent", "bullmq-jobs", mq + failed + "SADD b:q:1:dependencies x", mqRemoved("1"),
     "5 remove 1", "conflict"},

    {"missing", "bullmq-jobs", failed, mqMoved("1"), "5 retry 1", "refused missing"},
    {"wrong type", "bullmq-jobs", "SET b:q:meta x", mqMoved("1"), "5 retry 1", "refused type"},
    {"an unknown version", "bullmq-jobs", mq + failed, mqMoved("1"), "7 retry 1",
     "refused version"},
    {"no verb", "bullmq-jobs", mq + failed, mqMoved("1"), "5 shout 1", "refused argument"},
    {"no job", "bullmq-jobs", mq + failed, mqMoved("1"), "5 retry", "refused argument"},

    {"pause", "bullmq-pause", mq + "RPUSH b:q:wait 1 2", pauseKeys, "5 pause", "done 1",
     "conflict 1", "LRANGE b:q:paused 0 -1", "1 2"},
    {"pause 6", "bullmq-pause", mq + "RPUSH b:q:wait 1 2", pauseKeys, "6 pause", "done 1",
     "conflict 1", "LRANGE b:q:wait 0 -1", "1 2"},
    {"resume", "bullmq-pause", mq + paused + "RPUSH b:q:paused 1 2", pauseKeys, "5 resume",
     "done 1", "conflict 0", "LRANGE b:q:wait 0 -1", "1 2"},
    {"resume with an old list", "bullmq-pause",
     mq + paused + "RPUSH b:q:paused 1 | RPUSH b:q:wait 2", pauseKeys, "6 resume", "done 1",
     "conflict 0", "LRANGE b:q:wait 0 -1", "2 1"},
    {"resume wakes for what is due next", "bullmq-pause", mq + paused + "ZADD b:q:delayed 8192 1",
     pauseKeys, "5 resume", "done 1", "conflict 0", "ZRANGE b:q:marker 0 -1 WITHSCORES", "1 2"},
    {"both lists", "bullmq-pause", mq + "RPUSH b:q:paused 1 | RPUSH b:q:wait 2", pauseKeys,
     "5 pause", "refused both"},
    {"no queue", "bullmq-pause", "", pauseKeys, "5 pause", "refused missing"},
    {"no verb", "bullmq-pause", mq, pauseKeys, "5 stop", "refused argument"},
    {"an unknown version", "bullmq-pause", mq, pauseKeys, "3 pause", "refused version"},

    {"both", "bull-jobs", failed + "RPUSH b:q:wait 9", bullKeys("1 2"), "retry 1 2", "done 2 11",
     "conflict", "LRANGE b:q:wait 0 -1", "2 1 9"},
    {"into a paused queue", "bull-jobs", failed + "SET b:q:meta-paused 1", bullKeys("1"), "retry 1",
     "done 1 1", "conflict", "LRANGE b:q:paused 0 -1", "1"},
    {"promote", "bull-jobs", later + "RPUSH b:q:wait 9", bullKeys("1"), "promote 1", "done 1 1",
     "conflict", "LRANGE b:q:wait 0 -1", "1 9"},
    {"promote by priority", "bull-jobs",
     later + "HSET b:q:1 priority 1 | RPUSH b:q:wait 9 8 | ZADD b:q:priority 2 9 3 8",
     bullKeys("1"), "promote 1", "done 1 1", "conflict", "LRANGE b:q:wait 0 -1", "9 8 1"},
    {"requeue", "bull-jobs", active, bullKeys("1"), "requeue 1", "done 1 1", "conflict",
     "LRANGE b:q:wait 0 -1", "1"},
    {"requeue with a living worker", "bull-jobs", active, bullKeys("2"), "requeue 2", "conflict"},
    {"remove", "bull-jobs", failed, bullKeys("1"), "remove 1", "done 1 1", "conflict",
     "EXISTS b:q:1", "0"},
    {"a string", "bull-jobs", "SET b:q:wait 1", bullKeys("1"), "retry 1", "refused type"},
    {"nothing there", "bull-jobs", "", bullKeys("1"), "retry 1", "conflict"},
    {"no verb", "bull-jobs", failed, bullKeys("1"), "shout 1", "refused argument"},

    {"pause", "bull-pause", "RPUSH b:q:wait 1", bullPauseKeys, "pause", "done 1", "conflict 1",
     "LRANGE b:q:paused 0 -1", "1"},
    {"resume", "bull-pause", "RPUSH b:q:paused 1 | SET b:q:meta-paused 1 | HSET b:q:meta paused 1",
     bullPauseKeys, "resume", "done 1", "conflict 0", "LRANGE b:q:wait 0 -1", "1"},
    {"both lists", "bull-pause", "RPUSH b:q:paused 1 | RPUSH b:q:wait 2", bullPauseKeys, "pause",
     "refused both"},
    {"wrong type", "bull-pause", "SET b:q:meta x", bullPauseKeys, "pause", "refused type"},
    {"no verb", "bull-pause", "", bullPauseKeys, "stop", "refused argument"},
};

} // namespace

class tst_BullActions : public QObject
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

QTEST_GUILESS_MAIN(tst_BullActions)
#include "tst_bullactions.moc"
